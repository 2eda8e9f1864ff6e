import { MINUTE_MS } from "../../../contract/time.ts";
import type { TransitionRecord } from "../../../monitoring/containers/answers.ts";
import { type Evidence, evidence, countText, durationText } from "../evidence.ts";
import { type AlertFacts, endOf, type Finding, MOST_BEFORE, SOON_MS, turnedUnhealthy } from "./facts.ts";

const RESTARTS_WITHIN_MS = 10 * MINUTE_MS;
/** Of many records of the same, so many are named. */
const NAMED = 10;

/** What exit codes of signals mean. Source: signal(7), and the 128 + n of shells and engines. */
const SIGNALS: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL: an instruction that the CPU does not know",
  134: "SIGABRT: it aborted itself",
  135: "SIGBUS",
  136: "SIGFPE",
  139: "SIGSEGV: it accessed memory that is not its own",
  143: "SIGTERM: it was asked to stop",
};

/** How the container ended, how often it was restarted, and what its health check reported. */
export function findEnds(facts: AlertFacts): Finding[] {
  const end = endOf(facts);
  return [...(end === undefined ? [] : [howItEnded(end, facts)]), ...findRestarts(facts), ...findHealth(facts)];
}

function howItEnded(end: TransitionRecord, { alert }: AlertFacts): Finding {
  const when = ` ${agoOf(end, alert.fired_at)}`;
  return { claim: `${endText(end)}${when}.`, evidence: [transitionEvidence(end)] };
}

function endText({ exit_code: code, oom_killed: oom, new_state: state }: TransitionRecord): string {
  const codeText = code === null ? "no exit code is recorded" : `exit code ${code}`;
  if (oom) return `Killed for memory: ${codeText}, and the runtime set its OOM flag,`;
  if (code === null) return `The container ended (${state}; ${codeText})`;
  if (code === 137) return "The container was killed by SIGKILL: exit code 137, and the runtime did not set its OOM flag,";
  const signal = SIGNALS[code];
  return `The container ended with exit code ${code}${signal === undefined ? "" : ` (${signal})`}`;
}

function findRestarts({ alert, before }: AlertFacts): Finding[] {
  const fromMs = Date.parse(alert.fired_at) - RESTARTS_WITHIN_MS;
  const starts = before.filter(
    ({ previous_state: previous, new_state: next, timestamp }) =>
      next === "running" && previous !== null && previous !== "running" && previous !== "paused" && Date.parse(timestamp) >= fromMs,
  );
  if (starts.length === 0) return [];
  // A full page that lies in the window whole: there may be more before it.
  const oldest = before.at(-1);
  const isCut = oldest !== undefined && before.length >= MOST_BEFORE && Date.parse(oldest.timestamp) >= fromMs;
  return [
    {
      claim: `It was started again ${isCut ? "at least " : ""}${countText(starts.length, "time")} in the 10 minutes before the alert.`,
      evidence: starts.slice(0, NAMED).map(transitionEvidence),
    },
  ];
}

function findHealth(facts: AlertFacts): Finding[] {
  const { alert } = facts;
  const changed = turnedUnhealthy(facts);
  if (changed === undefined) return [];
  const from = changed.previous_health === null ? "" : ` (it was ${changed.previous_health})`;
  const rests = { evidence: [transitionEvidence(changed)] };
  const turned = { claim: `Its health check turned unhealthy${from} ${agoOf(changed, alert.fired_at)}.`, ...rests };
  return changed.health_failure === null ? [turned] : [turned, { claim: checkText(changed.health_failure), ...rests }];
}

function checkText({ exit_code: code, output }: NonNullable<TransitionRecord["health_failure"]>): string {
  const how = code < 0 ? "did not run to its end" : `ended with exit code ${code}`;
  return `The health check ${how}${output === "" ? " and printed nothing" : ""}.`;
}

/** What became of the container after its end. */
export function findSequel(facts: AlertFacts): Finding[] {
  const { container, before, after } = facts;
  const end = endOf(facts);
  const sequel: Finding[] = [];
  const steps = [...after, ...before];
  const place = end === undefined ? 0 : steps.indexOf(end);
  const again = steps
    .slice(0, place)
    .findLast(({ previous_state: previous, new_state: next }) => next === "running" && previous !== "running");
  if (end !== undefined && again !== undefined)
    sequel.push({
      claim: `It was running again ${durationText(Date.parse(again.timestamp) - Date.parse(end.timestamp))} later.`,
      evidence: [transitionEvidence(again)],
    });
  if (container === null) return sequel;
  const own: Evidence[] = [evidence("container", container.id, container.archived_at ?? container.last_state_change_at)];
  if (container.archived_at !== null) sequel.push({ claim: "The container was removed from its host since.", evidence: own });
  else if (end !== undefined) sequel.push({ claim: `The container is ${container.state} now.`, evidence: own });
  return sequel;
}

function transitionEvidence({ id, timestamp }: TransitionRecord): Evidence {
  return evidence("transition", id, timestamp);
}

function agoOf({ timestamp }: TransitionRecord, raisedAt: string): string {
  const agoMs = Date.parse(raisedAt) - Date.parse(timestamp);
  if (agoMs < -SOON_MS) return `${durationText(agoMs)} after the alert was raised by its host's clock, which may be ahead`;
  return agoMs < 1000 ? "as the alert was raised" : `${durationText(agoMs)} before the alert was raised`;
}
