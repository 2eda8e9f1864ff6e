import type { ComparisonRecord } from "../../../../src/monitoring/updates/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { formatMilliseconds } from "../../format/milliseconds.ts";
import type { Status } from "../../format/status.ts";

type Verdict = ComparisonRecord["verdict"];
type Change = ComparisonRecord["changes"][number];

export const VERDICT_WORDS: Readonly<Record<Verdict, { status: Status; word: string }>> = {
  worse: { status: "degraded", word: "Worse since" },
  better: { status: "ok", word: "Better since" },
  unchanged: { status: "ok", word: "No change" },
  pending: { status: "idle", word: "Still monitoring" },
  unknown: { status: "idle", word: "Not comparable" },
};

interface FigureRow {
  name: string;
  before: string;
  after: string;
  /** Its verdict: it got better or worse. */
  change: Change | undefined;
}

/** The figures before and after, those that nobody knows left out. */
export function figureRows({ before, after, changes }: Pick<ComparisonRecord, "before" | "after" | "changes">): FigureRow[] {
  const row = (
    name: string,
    figure: Change["figure"],
    values: readonly (number | null | undefined)[],
    format: (value: number) => string,
  ) => {
    const [old, fresh] = values.map((value) => (value === null || value === undefined ? "–" : format(value)));
    return { name, before: old ?? "–", after: fresh ?? "–", change: changes.find((change) => change.figure === figure) };
  };
  return [
    row("Restarts a day", "restarts", [before?.restarts_per_day, after?.restarts_per_day], (value) => short(value)),
    row("Failed checks", "failed_checks", [before?.failed_checks_percent, after?.failed_checks_percent], (value) => `${short(value)} %`),
    row("Response time", "response_time", [before?.response_time_ms, after?.response_time_ms], formatMilliseconds),
    row("CPU cores", "cpu", [before?.cpu_cores_used, after?.cpu_cores_used], (value) => short(value)),
    row("Memory", "memory", [before?.memory_bytes, after?.memory_bytes], formatBytes),
  ].filter((each) => each.before !== "–" || each.after !== "–");
}

/** Three figures at most: `0.04`, `1.5`, `12`. */
function short(value: number): string {
  if (value >= 9.95) return String(Math.round(value));
  return String(Number(value.toFixed(value >= 0.995 ? 1 : 2)));
}
