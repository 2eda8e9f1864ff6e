import type { EditionView } from "../../../../src/editions/answers.ts";
import { KIND_GUIDES } from "../../entities/notifications/kind-guides.ts";
import { capabilityName } from "./capability-name.ts";

type Capability = EditionView["capabilities"][number];

export interface CapabilityGroup {
  title: string;
  /** What this installation has. */
  granted: readonly string[];
  /** What another edition adds. */
  missing: readonly { edition: Capability["required_edition"]; names: readonly string[] }[];
}

/** What editions grant, by what it is for: history and channels in a row each, instead of a row for each range and service. */
export function capabilityGroups(capabilities: readonly Capability[]): CapabilityGroup[] {
  return [...Map.groupBy(capabilities, groupOf)].map(([title, members]) => {
    const known = new Set(members.map(({ name }) => name));
    // Kinds of channels that no capability names come with every edition.
    const everywhere = title === "Channels" ? Object.entries(KIND_GUIDES).filter(([type]) => !known.has(`channel_${type}`)) : [];
    const namesOf = (some: readonly Capability[]): string[] => some.map(({ name }) => shortName(name));
    const missing = Map.groupBy(
      members.filter(({ granted }) => !granted),
      ({ required_edition: edition }) => edition,
    );
    return {
      title,
      granted: [...namesOf(members.filter(({ granted }) => granted)), ...everywhere.map(([, { name }]) => name)],
      missing: [...missing].map(([edition, some]) => ({ edition, names: namesOf(some) })),
    };
  });
}

function groupOf({ name }: Capability): string {
  if (name.startsWith("history_")) return "History";
  if (name.startsWith("channel_")) return "Channels";
  if (["embedded_mode", "server_mode", "agent_mode", "agents"].includes(name)) return "Hosts";
  if (name.startsWith("security_")) return "Security";
  return ["cve_enrichment", "risk_scoring", "changelog"].includes(name) ? "Updates" : "Alerting";
}

function shortName(name: string): string {
  return capabilityName(name)
    .replace(/^History of /, "")
    .replace(/ channel$/, "");
}
