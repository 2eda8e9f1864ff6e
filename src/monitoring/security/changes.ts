import { joinWords } from "../../contract/words.ts";
import type { Event, EventData } from "../../events.ts";
import { aboutContainer } from "../containers/index.ts";
import type { Acknowledgment } from "./acknowledgment.ts";
import { INSIGHTS, type Insight, worstOf } from "./insight.ts";
import { type Assessment, type Change, openFindings } from "./register.ts";
import { shortWords } from "./words.ts";

/** As many findings are named in a sentence. */
const NAMED = 3;

/** What is found of a container changed. */
export function changedEvent(
  { assessment, added, removed }: Change,
  { at, renewed = false, over = false }: { at: Date; renewed?: boolean; over?: boolean },
): Event {
  return {
    type: "security.insights_changed",
    data: { ...aboutFindings(assessment, at), added: added.map(nameOf), removed: removed.map(nameOf), renewed, over },
  };
}

/** A container that stopped stayed away, or another took its place: nothing of what was found of it counts any more. */
export function overEvent({ container }: Assessment, at: Date): Event {
  return changedEvent({ assessment: { container, findings: [] }, added: [], removed: [] }, { at, over: true });
}

/** What is wrong with a container now, to be published again. */
export function problemEvent(assessment: Assessment, at: Date): Event {
  return changedEvent({ assessment, added: [], removed: [] }, { at });
}

/** Keeps the alert of a container whose findings are all acknowledged: somebody takes care of it, but it is not over. */
export function keptEvent(assessment: Assessment, at: Date): Event<"security.insights_changed"> {
  const { container, findings } = assessment;
  const severity = worstOf(findings.map(({ type }) => INSIGHTS[type].severity));
  const message = `${sentenceOf(container.name, findings)} All findings are acknowledged.`;
  const data = { ...aboutFindings(assessment, at), severity, message, added: [], removed: [], renewed: false, over: false };
  return { type: "security.insights_changed", data };
}

export function acknowledgmentEvent(
  what: "acknowledged" | "revoked",
  acknowledgment: Acknowledgment,
  assessment: Assessment,
  at: Date,
): Event {
  return {
    type: `security.${what}`,
    data: {
      ...aboutFindings(assessment, at),
      acknowledgment_id: acknowledgment.id,
      finding_type: acknowledgment.type,
      finding_key: acknowledgment.key,
      acknowledged_by: acknowledgment.by,
      reason: acknowledgment.reason,
    },
  };
}

function aboutFindings(
  assessment: Assessment,
  at: Date,
): Omit<EventData["security.insights_changed"], "added" | "removed" | "renewed" | "over"> {
  const { container, findings } = assessment;
  const { alert_severity: _, ...about } = aboutContainer(container, at);
  const open = openFindings(assessment);
  return {
    ...about,
    findings: findings.map(({ type, key, acknowledgment }) => ({
      type,
      key,
      severity: INSIGHTS[type].severity,
      acknowledged: acknowledgment !== undefined,
    })),
    severity: worstOf(open.map(({ type }) => INSIGHTS[type].severity)),
    message: open.length === 0 ? null : sentenceOf(container.name, open),
  };
}

/** `web is exposed: port 80/tcp is open on all interfaces and it is privileged.` */
function sentenceOf(name: string, insights: readonly Insight[]): string {
  const words = insights.slice(0, NAMED).map(shortWords);
  if (insights.length > NAMED) words.push(`${insights.length - NAMED} more`);
  // What a container may do on its host opens it to nobody.
  const isExposed = insights.some(({ type }) => INSIGHTS[type].category === "network");
  return `${name} ${isExposed ? "is exposed" : "has risky settings"}: ${joinWords(words)}.`;
}

function nameOf({ type, key }: Insight): Pick<Insight, "type" | "key"> {
  return { type, key };
}
