import { MINUTE_MS, utcText } from "../../contract/time.ts";
import type { AlertTransition, RoutingDecision, Target } from "../vocabulary.ts";
import { type Holder, type KeptAlert, FLAPPING, type Flap, isHigher } from "./alert.ts";
import type { StageName, VerdictName } from "./answers.ts";

/** What the stages need to know in addition to the alert, as of the evaluation. */
export interface EvaluationContext {
  now: Date;
  /** The same time on the monotonic clock. */
  monotonicMs: number;
  /** False until the program knows what runs. */
  settled: boolean;
  maintaining(alert: KeptAlert, now: Date): { title: string; until: Date } | undefined;
  silencing(alert: KeptAlert, now: Date): { id: number; reason: string; until: Date } | undefined;
  /** The outage of something that it depends on. */
  outage(alert: KeptAlert): { name: string; why: string; since: Date } | undefined;
  flap: Flap | undefined;
  route(alert: KeptAlert): RoutingDecision;
  /** Channels that were notified of its start and want to be notified of its end. */
  notified: readonly number[];
  channelName(id: number): string;
}

export interface Evaluation {
  alert: KeptAlert;
  transition: AlertTransition;
  /** Chosen by routing; empty before. */
  targets: readonly Target[];
}

export interface Verdict {
  verdict: VerdictName;
  /** In words, for a person who asks why. */
  text: string;
  /** What holds it back; with `held` alone. */
  heldBy?: Holder;
  targets?: readonly Target[];
}

/** One step of the path. It returns no verdict when it does not apply to this transition. */
export interface Stage {
  name: StageName;
  judge(evaluation: Evaluation, context: EvaluationContext): Verdict | undefined;
}

/** The stages that every alert passes before it is sent, in order. */
export const PATH: readonly Stage[] = [
  {
    name: "settle",
    judge({ transition }, { settled }) {
      if (transition === "resolved") return undefined;
      if (settled) return passed("Startup complete.");
      return held("settle", "Starting up: waiting for the first inventory.");
    },
  },
  {
    name: "maintenance",
    judge({ alert, transition }, { maintaining, now }) {
      if (transition === "resolved") return undefined;
      const window = maintaining(alert, now);
      if (window === undefined) return passed("No active maintenance window.");
      return held("maintenance", `Maintenance window "${window.title}" until ${utcText(window.until.getTime())}.`);
    },
  },
  {
    name: "dependency",
    judge({ alert, transition }, { outage }) {
      if (transition === "resolved") return undefined;
      const parent = outage(alert);
      if (parent === undefined) return passed("No dependency is down.");
      return held("dependency", `Depends on ${parent.name}, which ${parent.why} since ${utcText(parent.since.getTime())}.`);
    },
  },
  {
    name: "silence",
    judge({ alert, transition }, { silencing, now }) {
      if (transition === "resolved") return undefined;
      const silence = silencing(alert, now);
      if (silence === undefined) return passed("No matching silence.");
      return held("silence", `Silence ${silence.id} ("${silence.reason}") until ${utcText(silence.until.getTime())}.`);
    },
  },
  {
    name: "flapping",
    judge({ alert, transition }, { flap }) {
      if (flap === undefined || !flap.flapping) return undefined;
      // Nobody waits for the end of an alert that was never sent.
      if (transition === "resolved" && alert.routedAt === null) return undefined;
      if (flap.notified === null) return passed(`Flapping: ${oftenText()}. Sent once, then paused until it is stable.`);
      if (transition !== "resolved" && isHigher(alert.severity, flap.notified))
        return passed("Flapping, but the severity is higher than in the last notification.");
      return held(
        "flapping",
        `Flapping, and already sent once. Paused until it has been stable for ${minutes(FLAPPING.windowMs)} minutes.`,
      );
    },
  },
  {
    name: "routing",
    judge({ alert, transition }, { route, notified, channelName }) {
      if (transition === "resolved") {
        if (alert.routedAt === null) return stopped("No firing notification was sent, so no resolve notification is sent.");
        if (notified.length === 0) return stopped("No notified channel wants resolve notifications.");
        const targets = notified.map((channelId) => ({
          channelId,
          notifyOnResolve: true,
          because: "it was notified when the alert fired",
        }));
        return { ...passed(`Notified when it fired: ${named(targets, channelName)}.`), targets };
      }
      const { targets, ...names } = route(alert);
      const unknown = names.unknown.map((name) => ` Its label names "${name}", which does not exist.`);
      const disabled = names.disabled.map((name) => `"${name}"`);
      if (targets.length === 0 && disabled.length > 0)
        return stopped(`All matching channels are disabled: ${disabled.join(", ")}.${unknown.join("")}`);
      if (targets.length === 0) return stopped(`No rule, trigger or label matches.${unknown.join("")}`);
      const left = disabled.length === 0 ? "" : ` Not to ${disabled.join(", ")}: disabled.`;
      const described = targets.map((target) => `${quoted(target, channelName)} (${target.because})`).join(", ");
      return { ...passed(`To ${described}.${left}${unknown.join("")}`), targets };
    },
  },
  {
    name: "dedup",
    judge({ alert, transition }) {
      if (transition === "resolved") return undefined;
      if (alert.notified) return stopped("Already sent, and the severity is not higher now.");
      if (transition === "released" && alert.routedAt === null && alert.acknowledgedBy !== null)
        return stopped(`Acknowledged by ${alert.acknowledgedBy} before anything was sent.`);
      return passed(alert.routedAt !== null ? "The severity is higher than in the last notification." : "Not sent yet.");
    },
  },
  {
    name: "deliver",
    judge: ({ targets }, { channelName }) =>
      passed(`${targets.length === 1 ? "1 delivery" : `${targets.length} deliveries`} queued for ${named(targets, channelName)}.`),
  },
];

export interface EvaluationResult {
  verdicts: readonly { stage: StageName; verdict: VerdictName; text: string }[];
  heldBy: Holder | null;
  /** The channels that are notified; empty when a stage held or stopped the alert. */
  targets: readonly Target[];
}

/** Evaluates the stages in order, until one of them does not let the alert pass. */
export function evaluatePath(
  evaluation: Omit<Evaluation, "targets">,
  context: EvaluationContext,
  path: readonly Stage[] = PATH,
): EvaluationResult {
  const verdicts: EvaluationResult["verdicts"][number][] = [];
  let targets: readonly Target[] = [];
  for (const { name, judge } of path) {
    const judgement = judge({ ...evaluation, targets }, context);
    if (judgement === undefined) continue;
    verdicts.push({ stage: name, verdict: judgement.verdict, text: judgement.text });
    if (judgement.verdict !== "passed") return { verdicts, heldBy: judgement.heldBy ?? null, targets: [] };
    targets = judgement.targets ?? targets;
  }
  return { verdicts, heldBy: null, targets };
}

/** Added to the one message that reports the flapping. */
export function flappingText(): string {
  return `Flapping (${oftenText()}): notifications are paused until it has been stable for ${minutes(FLAPPING.windowMs)} minutes.`;
}

function oftenText(): string {
  return `more than ${FLAPPING.changes} changes within ${minutes(FLAPPING.windowMs)} minutes`;
}

function passed(text: string): Verdict {
  return { verdict: "passed", text };
}

function stopped(text: string): Verdict {
  return { verdict: "stopped", text };
}

function held(heldBy: Holder, text: string): Verdict {
  return { verdict: "held", text, heldBy };
}

function named(targets: readonly Target[], channelName: EvaluationContext["channelName"]): string {
  return targets.map((target) => quoted(target, channelName)).join(", ");
}

function quoted({ channelId }: Target, channelName: EvaluationContext["channelName"]): string {
  return `"${channelName(channelId)}"`;
}

function minutes(milliseconds: number): number {
  return milliseconds / MINUTE_MS;
}
