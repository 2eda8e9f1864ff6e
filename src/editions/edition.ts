import { capitalise } from "../contract/words.ts";
import { ServiceError } from "../platform/errors.ts";

/** What each edition grants, as data. Source: specification, Editions. */

/** From the least to the most; each grants what the ones before it grant. */
export const EDITIONS = ["community", "personal", "pro"] as const;
export type Edition = (typeof EDITIONS)[number];

interface CapabilityRow {
  /** As a message names it, at the beginning of a sentence. */
  title: string;
  edition: Edition;
}

export const CAPABILITIES = {
  embedded_mode: { title: "Embedded mode", edition: "community" },
  history_1h: { title: "History of 1h", edition: "community" },
  history_6h: { title: "History of 6h", edition: "community" },
  channel_webhook: { title: "The webhook channel", edition: "community" },
  channel_discord: { title: "The Discord channel", edition: "community" },
  server_mode: { title: "Server mode", edition: "personal" },
  agent_mode: { title: "Agent mode", edition: "personal" },
  agents: { title: "Monitoring several hosts", edition: "personal" },
  security_posture: { title: "The security posture", edition: "personal" },
  history_24h: { title: "History of 24h", edition: "pro" },
  history_7d: { title: "History of 7d", edition: "pro" },
  history_30d: { title: "History of 30d", edition: "pro" },
  channel_slack: { title: "The Slack channel", edition: "pro" },
  channel_teams: { title: "The Teams channel", edition: "pro" },
  channel_email: { title: "The email channel", edition: "pro" },
  escalation: { title: "Escalation", edition: "pro" },
  cve_enrichment: { title: "CVE enrichment", edition: "pro" },
  risk_scoring: { title: "Risk scoring", edition: "pro" },
  changelog: { title: "Changelogs of updates", edition: "pro" },
  security_posture_page: { title: "The security posture page", edition: "pro" },
} as const satisfies Record<string, CapabilityRow>;

export type Capability = keyof typeof CAPABILITIES;

const HISTORY_RANGES = { "1h": "history_1h", "6h": "history_6h", "24h": "history_24h", "7d": "history_7d", "30d": "history_30d" } as const;
export type HistoryRange = keyof typeof HISTORY_RANGES;

export function isCapability(name: string): name is Capability {
  return Object.hasOwn(CAPABILITIES, name);
}

export function grants(edition: Edition, capability: Capability): boolean {
  return EDITIONS.indexOf(edition) >= EDITIONS.indexOf(CAPABILITIES[capability].edition);
}

/** Each capability in the table's order, with whether the edition grants it. */
export function capabilitiesOf(edition: Edition): { name: Capability; granted: boolean; required_edition: Edition }[] {
  return Object.keys(CAPABILITIES)
    .filter(isCapability)
    .map((name) => ({ name, granted: grants(edition, name), required_edition: CAPABILITIES[name].edition }));
}

/** The spans of history that an edition may ask for, shortest first. */
export function historyRangesOf(edition: Edition): HistoryRange[] {
  return Object.keys(HISTORY_RANGES)
    .filter((range): range is HistoryRange => Object.hasOwn(HISTORY_RANGES, range))
    .filter((range) => grants(edition, HISTORY_RANGES[range]));
}

/** The edition's name in a sentence. */
export function editionTitle(edition: Edition): string {
  return capitalise(edition);
}

/** Throws EDITION_REQUIRED, naming the capability and the edition that grants it, when the edition in force does not. */
export function requireCapability(edition: Edition, capability: string): void {
  if (!isCapability(capability)) throw new Error(`no capability is called ${capability}`);
  if (grants(edition, capability)) return;
  const { title, edition: required } = CAPABILITIES[capability];
  throw new ServiceError(
    "EDITION_REQUIRED",
    `${title} needs ${editionOrAbove(required)}; this instance runs the ${editionTitle(edition)} edition.`,
    {
      capability,
      required_edition: required,
    },
  );
}

/** Why server mode cannot be started, as a sentence; undefined when it can. Source: specification, Operating modes. */
export function serverModeRefusal(edition: Edition): string | undefined {
  const { title, edition: required } = CAPABILITIES["server_mode"];
  if (grants(edition, "server_mode")) return undefined;
  return (
    `--mode=server: ${title.toLowerCase()} needs ${editionOrAbove(required)}; this instance runs the ${editionTitle(edition)} edition, ` +
    "which runs in embedded mode only. Start without --mode to watch this host, or set SERVICE_LICENSE_KEY."
  );
}

function editionOrAbove(edition: Edition): string {
  return edition === "pro" ? "the Pro edition" : `the ${editionTitle(edition)} edition or above`;
}
