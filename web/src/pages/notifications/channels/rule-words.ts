import type { RuleRecord } from "../../../../../src/alerting/channels/answers.ts";
import { alertsWords } from "../../../entities/notifications/filter-words.ts";

type Rule = Pick<RuleRecord, "source" | "severity" | "entity_type" | "entity_id">;

/** Which alerts a rule sends, as a phrase. */
export function ruleWords({ source, severity, entity_type: type, entity_id: id }: Rule, nameOf: (entity: string) => string): string {
  const entities = type === null ? [] : [id === null ? `any ${type.replaceAll("_", " ")}` : nameOf(`${type}:${id}`)];
  return alertsWords({ severities: severity === null ? [] : [severity], sources: source === null ? [] : [source], entities, tags: [] });
}

/** What a channel's own rules send to it, in a line. */
export function rulesSummary(rules: readonly Rule[], nameOf: (entity: string) => string): string {
  const [first, ...others] = rules;
  if (first === undefined) return "No rules";
  const words = ruleWords(first, nameOf);
  return others.length === 0 ? words : `${words}, and ${others.length === 1 ? "1 more rule" : `${others.length} more rules`}`;
}
