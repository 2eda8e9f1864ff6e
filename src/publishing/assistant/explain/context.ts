import { evidence } from "../evidence.ts";
import { countText, durationText } from "../words.ts";
import { type AlertFacts, type Finding, momentOf } from "./facts.ts";

const NAMED = 10;

/** What changed before, and what else is wrong. */
export function findContext(facts: AlertFacts): Finding[] {
  return [...findImageChange(facts), ...findEarlier(facts), ...findRelated(facts)];
}

function findImageChange(facts: AlertFacts): Finding[] {
  const [latest, ...others] = facts.imageChanges;
  if (latest === undefined) return [];
  const agoMs = momentOf(facts).getTime() - Date.parse(latest.at);
  const more = others.length === 0 ? "" : `, and ${countText(others.length, "time")} more in the 24 hours before`;
  return [
    {
      claim: `Its image changed ${durationText(agoMs)} before${more}.`,
      evidence: [latest, ...others].slice(0, NAMED).map(({ id, at }) => evidence("image_change", id, at)),
    },
  ];
}

function findEarlier({ alert, earlier }: AlertFacts): Finding[] {
  const [latest] = earlier.alerts;
  if (latest === undefined) return [];
  const agoMs = Date.parse(alert.fired_at) - Date.parse(latest.fired_at);
  return [
    {
      claim: `The same alert fired ${countText(earlier.total, "time")} before, the latest ${durationText(agoMs)} earlier.`,
      evidence: earlier.alerts.map(({ id, fired_at: at }) => evidence("alert", id, at)),
    },
  ];
}

function findRelated({ alert, related }: AlertFacts): Finding[] {
  const same = related.alerts.filter(({ entity_type: type, entity_id: id }) => type === alert.entity_type && id === alert.entity_id);
  // Those on the same thing stand first: when no other is listed, there may be more of them.
  const isCut = same.length === related.alerts.length && related.total > same.length;
  const findings: Finding[] = [];
  if (same.length > 0)
    findings.push({
      claim: `${isCut ? "At least " : ""}${countText(same.length, "other alert")} on the same thing ${same.length === 1 ? "is" : "are"} active.`,
      evidence: same.slice(0, NAMED).map(({ id, fired_at: at }) => evidence("alert", id, at)),
    });
  if (related.total > same.length)
    findings.push({
      claim: `${countText(related.total - same.length, "other alert")} on its host or on what it depends on ${related.total - same.length === 1 ? "is" : "are"} active.`,
      evidence: related.alerts
        .filter((each) => !same.includes(each))
        .slice(0, NAMED)
        .map(({ id, fired_at: at }) => evidence("alert", id, at)),
    });
  return findings.filter((finding) => finding.evidence.length > 0);
}
