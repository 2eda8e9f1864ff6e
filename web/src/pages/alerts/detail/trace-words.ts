import type { AlertTrace, TraceStage } from "../../../../../src/alerting/alerts/answers.ts";
import type { Status } from "../../../format/status.ts";

/** Why the stages were evaluated, as a heading. */
export const TRANSITION_WORDS: Readonly<Record<TraceStage["transition"], string>> = {
  fired: "When it fired",
  raised: "When severity was raised",
  released: "When no longer suppressed",
  resolved: "When it resolved",
};

/** The stages, by what they evaluate. */
export const STAGE_WORDS: Readonly<Record<TraceStage["stage"], string>> = {
  settle: "Startup",
  maintenance: "Maintenance",
  dependency: "Dependencies",
  silence: "Silences",
  flapping: "Flapping",
  routing: "Routing",
  dedup: "Already notified",
  deliver: "Delivery",
};

/** The verdict of a stage, with its shape and word. */
export function verdictWords({ verdict, stage }: Pick<TraceStage, "verdict" | "stage">): { status: Status; word: string } {
  switch (verdict) {
    case "passed":
      return { status: "ok", word: "Passed" };
    case "held":
      return { status: stage === "maintenance" ? "maintenance" : "idle", word: "Waiting" };
    case "stopped":
      return { status: "idle", word: "Stopped here" };
  }
}

/** Steps that say nothing when they are passed. */
const UNREMARKABLE: ReadonlySet<TraceStage["stage"]> = new Set(["settle", "maintenance", "dependency", "silence", "dedup"]);

/** Neighbouring steps that only say that nothing held the alert back, as one; each other step by itself. */
export function foldedStages(stages: readonly TraceStage[]): TraceStage[][] {
  const isUnremarkable = ({ stage, verdict }: TraceStage): boolean => verdict === "passed" && UNREMARKABLE.has(stage);
  const rows: TraceStage[][] = [];
  for (const stage of stages) {
    const last = rows.at(-1);
    if (isUnremarkable(stage) && last?.[0] !== undefined && isUnremarkable(last[0])) last.push(stage);
    else rows.push([stage]);
  }
  return rows;
}

export interface TracedEvaluation {
  number: number;
  transition: TraceStage["transition"];
  at: string;
  stages: TraceStage[];
}

/** The evaluations of a trace, the latest first. */
export function evaluationsOf({ stages }: Pick<AlertTrace, "stages">): TracedEvaluation[] {
  const evaluations = new Map<number, TracedEvaluation>();
  for (const stage of stages) {
    const evaluation = evaluations.get(stage.evaluation);
    if (evaluation === undefined)
      evaluations.set(stage.evaluation, { number: stage.evaluation, transition: stage.transition, at: stage.at, stages: [stage] });
    else evaluation.stages.push(stage);
  }
  return [...evaluations.values()].toSorted((one, other) => other.number - one.number);
}

/** What holds it back at the moment, in words; undefined when nothing does. */
export function holdingText({ stages }: Pick<AlertTrace, "stages">): string | undefined {
  const last = stages.at(-1);
  return last?.verdict === "held" ? last.text : undefined;
}

/** Whether it went nowhere because nothing names a channel for it. */
export function isUnrouted({ stages, deliveries }: Pick<AlertTrace, "stages" | "deliveries">): boolean {
  return (
    deliveries.length === 0 &&
    stages.some(({ stage, verdict, transition }) => stage === "routing" && verdict === "stopped" && transition !== "resolved")
  );
}
