import type { InsightRecord, Posture, Summary } from "../../../../src/monitoring/security/answers.ts";
import type { SortKey } from "../../../../src/monitoring/security/api.ts";
import type { Level } from "../../ui/level-mark.tsx";

export type FindingType = InsightRecord["type"];
export type FindingSeverity = InsightRecord["severity"];
export type Grade = NonNullable<Posture["grade"]>;

/** Where the findings are on their page, below the posture. */
export const FINDINGS = "findings";

/** A severity with its level and word, from the worst to the mildest. */
export const FINDING_SEVERITY_WORDS: Readonly<Record<FindingSeverity, { level: Level; word: string }>> = {
  critical: { level: 4, word: "Critical" },
  high: { level: 3, word: "High" },
  medium: { level: 2, word: "Medium" },
};

/** What a filter calls a kind of finding. */
export const TYPE_WORDS: Readonly<Record<FindingType, string>> = {
  port_exposed_all_interfaces: "Exposed port",
  database_port_exposed: "Database port",
  privileged_container: "Privileged",
  host_network_mode: "Host network mode",
  service_load_balancer: "Load balancer",
  service_node_port: "Node port",
  missing_network_policy: "No network policy",
  host_path_mount: "Host path",
  runs_as_root: "Runs as root",
  missing_limits: "No limits",
  latest_tag: "Latest tag",
};

/** What findings can be sorted by. */
export const SORT_WORDS: Readonly<Record<SortKey, string>> = {
  severity: "Severity",
  type: "Kind",
  name: "Container",
  image: "Image",
  since: "Age",
};

export const CATEGORY_WORDS: Readonly<Record<Posture["categories"][number]["name"], string>> = {
  network: "Network",
  configuration: "Configuration",
  updates: "Updates",
};

/** How good a grade is. */
export const GRADE_WORDS: Readonly<Record<Grade, { word: string }>> = {
  A: { word: "Very good" },
  B: { word: "Good" },
  C: { word: "Fair" },
  D: { word: "Poor" },
  F: { word: "Bad" },
};

/** Points to be gained, so that none looks like nothing: `+12`, `+3.4`, `under 0.1`. */
export function gainWords(gain: number): string {
  if (gain >= 9.95) return `+${Math.round(gain)}`;
  return gain >= 0.05 ? `+${gain.toFixed(1)}` : "under +0.1";
}

/** How much counts in a category: of updates, that is nothing that was found of the container itself. */
export function countWords({ name, findings }: Pick<Posture["categories"][number], "name" | "findings">): string {
  if (findings === 0) return "no findings";
  const noun = name === "updates" ? "problem" : "finding";
  return findings === 1 ? `1 ${noun}` : `${findings} ${noun}s`;
}

/** What is shown where there is no step to take: all is well, or what counts has no remedy yet. */
export function noStepsWords(categories: Posture["categories"]): string {
  if (categories.every(({ findings }) => findings === 0)) return "Nothing to do: every finding is fixed or acknowledged.";
  return "Nothing to do right now: the remaining points come from images without a newer version.";
}

/** `12 findings, 3 acknowledged`. */
export function summaryWords({ total, acknowledged }: Pick<Summary, "total" | "acknowledged">): string {
  if (total === 0) return "no findings";
  const findings = `${total} finding${total === 1 ? "" : "s"}`;
  return acknowledged === 0 ? findings : `${findings}, ${acknowledged === total ? "all" : acknowledged} acknowledged`;
}
