import { lostNotification } from "../../../alerting/index.ts";
import { findChecks } from "./checks.ts";
import { findEnds } from "./ends.ts";
import { type AlertFacts, type Finding, isReplaced, type Rule, stampedAhead } from "./facts.ts";
import { findContext } from "./context.ts";
import { findAlert, findTelling } from "./telling.ts";
import { findUsage } from "./usage.ts";

/** What tells why an alert was raised, and what was around it. */
const REASONS: readonly Rule[] = [findEnds, findChecks, findUsage, findContext];
/** In the order in which they are told: what is wrong, why, what was around it, who was notified. */
const RULES: readonly Rule[] = [findAlert, ...REASONS, findTelling];

/** What records say of an alert: only that, each sentence with its records. */
export function findingsOf(facts: AlertFacts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}

/** The part of it that tells why; the page of an alert shows the rest by itself. */
export function reasonsOf(facts: AlertFacts): Finding[] {
  return REASONS.flatMap((rule) => rule(facts));
}

/** What one would look for and no record says. */
export function missingOf(facts: AlertFacts): string[] {
  const { alert, trace, container, before, usage, endpoint, checks, heartbeat, runs, certificate } = facts;
  const missing: string[] = [];
  const is = (type: string): boolean => alert.entity_type === type;
  if (is("container") && container === null)
    missing.push("The container is not known any more: it was removed long ago, with its history.");
  if (is("endpoint") && endpoint === null) missing.push("The endpoint is not known any more, nor are its checks.");
  if (is("heartbeat") && heartbeat === null) missing.push("The heartbeat is not known any more, nor are its runs.");
  if (is("certificate") && certificate === null) missing.push("The certificate monitor is not known any more.");
  if (isReplaced(facts))
    missing.push(
      "The container that ran it then was replaced since: state changes, log and metrics of that one are not here, and container is the one that runs it now.",
    );
  else if (container !== null && before.length === 0 && stampedAhead(facts).length === 0)
    missing.push("No change of the container's state in the 24 hours before the alert is known.");
  if (container !== null && usage !== null && usage.points.length === 0) missing.push("No metrics of that time are known.");
  if (endpoint !== null && checks.length === 0) missing.push("No check of the endpoint is kept for the hour before the alert.");
  if (heartbeat !== null && runs.length === 0) missing.push("No run of the heartbeat's job before the alert is known.");
  const lost = lostNotification(trace);
  if (lost !== undefined) missing.push(lost);
  if (alert.cause === null) missing.push("Why it happened was not recorded with the alert itself.");
  return missing;
}
