import type { ComponentRecord } from "../../../../src/publishing/status/components/answers.ts";
import type { IncidentRecord } from "../../../../src/publishing/status/incidents/answers.ts";
import { countOf } from "../../format/number.ts";
import type { Status } from "../../format/status.ts";
import { formatAge } from "../../format/time.ts";

export type ComponentStatus = ComponentRecord["status"];
export type MonitorType = ComponentRecord["monitor_type"];
export type IncidentSeverity = IncidentRecord["severity"];
/** What an incident says of a component while it is open. */
export type Impact = IncidentRecord["impacts"][number]["status"];
export type IncidentStatus = IncidentRecord["status"];

interface Words {
  status: Status;
  word: string;
}

/** From the best to the worst, as somebody chooses one. */
export const COMPONENT_WORDS: Readonly<Record<ComponentStatus, Words>> = {
  operational: { status: "ok", word: "Operational" },
  degraded: { status: "degraded", word: "Degraded" },
  partial_outage: { status: "down", word: "Partial outage" },
  major_outage: { status: "down", word: "Major outage" },
  maintenance: { status: "maintenance", word: "Maintenance" },
};
const NO_DATA: Words = { status: "idle", word: "No data" };
// The keys of a typed record are its type's.
export const COMPONENT_STATUSES = Object.keys(COMPONENT_WORDS) as ComponentStatus[];

export const MONITOR_WORDS: Readonly<Record<MonitorType, { one: string; many: string }>> = {
  container: { one: "Container", many: "Containers" },
  endpoint: { one: "Endpoint", many: "Endpoints" },
  heartbeat: { one: "Heartbeat", many: "Heartbeats" },
  certificate: { one: "Certificate", many: "Certificates" },
  group: { one: "Container group", many: "Groups" },
  agent: { one: "Host", many: "Hosts" },
};
export const MONITOR_TYPES = Object.keys(MONITOR_WORDS) as MonitorType[];

export const INCIDENT_SEVERITY_WORDS: Readonly<Record<IncidentSeverity, Words & { means: string }>> = {
  minor: { status: "degraded", word: "Minor", means: "Most users are not affected." },
  major: { status: "down", word: "Major", means: "Many users cannot use part of the service." },
  critical: { status: "down", word: "Critical", means: "No one can use the service." },
};
export const INCIDENT_SEVERITIES = Object.keys(INCIDENT_SEVERITY_WORDS) as IncidentSeverity[];

/** What a component is at least while an incident of a severity is open, unless something else is chosen. */
export const IMPACT_BY_SEVERITY: Readonly<Record<IncidentSeverity, Impact>> = {
  minor: "degraded",
  major: "partial_outage",
  critical: "major_outage",
};

/** What can be chosen for a component: only a minor incident leaves one operational. */
export function impactsFor(severity: IncidentSeverity): readonly Impact[] {
  return severity === "minor"
    ? ["operational", "degraded", "partial_outage", "major_outage"]
    : ["degraded", "partial_outage", "major_outage"];
}

/** In the order in which an incident usually proceeds. */
export const INCIDENT_STATUS_WORDS: Readonly<Record<IncidentStatus, Words>> = {
  investigating: { status: "down", word: "Investigating" },
  identified: { status: "degraded", word: "Identified" },
  monitoring: { status: "degraded", word: "Monitoring" },
  resolved: { status: "ok", word: "Resolved" },
};
export const INCIDENT_STATUSES = Object.keys(INCIDENT_STATUS_WORDS) as IncidentStatus[];

/** What the page shows in place of a status: it may have no data. */
export function shownWords({ status, observed }: Pick<ComponentRecord, "status" | "observed">): Words {
  return status === "degraded" && !observed ? NO_DATA : COMPONENT_WORDS[status];
}

type Shown = Pick<ComponentRecord, "status" | "observed" | "visible" | "needs_attention">;

/** Those that visitors see: one whose monitor is gone is not on the page. */
export function onPage<Of extends Shown>(components: readonly Of[]): Of[] {
  return components.filter(({ visible, needs_attention }) => visible && !needs_attention);
}

/** The same for the page as a whole. */
export function pageWords(pageStatus: ComponentStatus, components: readonly Shown[]): Words {
  const isObserved = onPage(components).some(({ status, observed }) => status === pageStatus && observed);
  return shownWords({ status: pageStatus, observed: isObserved });
}

/** How the page as a whole is, in a sentence. */
export function pageSentence(pageStatus: ComponentStatus, components: readonly Shown[]): string {
  const shown = onPage(components);
  if (shown.length === 0) return "Empty";
  const affected = shown.filter(({ status }) => status !== "operational").length;
  if (affected === 0) return `${countOf(shown.length, "component")}, all operational`;
  return `${pageWords(pageStatus, components).word}: ${affected} of ${countOf(shown.length, "component")} affected`;
}

/** How long a resolved incident lasted: `lasted 8 min`. */
export function lastedWords({ created_at, resolved_at }: Pick<IncidentRecord, "created_at" | "resolved_at">): string {
  if (resolved_at === null) return "";
  return `lasted ${formatAge(Math.max(1000, Date.parse(resolved_at) - Date.parse(created_at)))}`;
}
