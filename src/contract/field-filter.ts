/** A filter by the fields of log lines: `status>=500 method=GET path~/api`. */
import type { LogField } from "./log-fields.ts";

export const FIELD_OPERATORS = ["=", "!=", ">", ">=", "<", "<=", "~"] as const;
export type FieldOperator = (typeof FIELD_OPERATORS)[number];

/** What one field of a line must be. A line without the field is never found. */
export interface FieldCondition {
  name: string;
  operator: FieldOperator;
  value: string;
}

export const FIELD_FILTER_BOUNDS = { maxLength: 500, maxConditions: 10 } as const;

const CONDITION = /\s*([^\s=!<>~"]{1,100})(!=|>=|<=|=|>|<|~)("(?:[^"\\]|\\.)*"|[^\s"=!<>~][^\s"]*)(?=\s|$)/y;

/** The conditions of a filter, all of which must hold; or what is wrong with it and where. */
export function readFieldFilter(text: string): readonly FieldCondition[] | { fault: string } {
  const conditions: FieldCondition[] = [];
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    CONDITION.lastIndex = at;
    const [whole, name, operator, value] = CONDITION.exec(text) ?? [];
    const known = FIELD_OPERATORS.find((each) => each === operator);
    if (whole === undefined || name === undefined || known === undefined || value === undefined) return { fault: faultAt(text, at) };
    conditions.push({ name, operator: known, value: value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value });
    at += whole.length;
  }
  if (conditions.length > FIELD_FILTER_BOUNDS.maxConditions)
    return { fault: `At most ${FIELD_FILTER_BOUNDS.maxConditions} conditions, these are ${conditions.length}` };
  return conditions;
}

function faultAt(text: string, at: number): string {
  const rest = text.slice(at).trimStart();
  const word = /^\S{1,40}/.exec(rest)?.[0] ?? "";
  return `At character ${text.length - rest.length + 1}: expected a condition such as status>=500 or msg~"not found", not ${JSON.stringify(word)}`;
}

/** A condition as it is written in a filter. */
export function writeFieldCondition({ name, operator, value }: FieldCondition): string {
  const isPlain = /^[^\s"\\=!<>~][^\s"\\]*$/.test(value);
  return `${name}${operator}${isPlain ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`}`;
}

/** Whether a name can stand in a filter. */
export function canFilterBy(name: string): boolean {
  return !/[\s=!<>~"]/.test(name);
}

/** Whether the fields of a line meet all conditions. Texts are compared in any case, by size as numbers where both are. */
export function meetsConditions(fields: readonly LogField[], conditions: readonly FieldCondition[]): boolean {
  return conditions.every((condition) => {
    const field = fields.find(({ name }) => name === condition.name);
    return field !== undefined && meets(field.value, condition);
  });
}

function meets(found: string, { operator, value }: FieldCondition): boolean {
  const [one, other] = [found.toLowerCase(), value.toLowerCase()];
  if (operator === "=") return one === other;
  if (operator === "!=") return one !== other;
  if (operator === "~") return one.includes(other);
  const order = compare(one, other);
  if (operator === ">") return order > 0;
  if (operator === ">=") return order >= 0;
  return operator === "<" ? order < 0 : order <= 0;
}

/** NaN, which is neither more nor less: a number and a text. */
function compare(one: string, other: string): number {
  const [first, second] = [numberOf(one), numberOf(other)];
  if (first !== undefined && second !== undefined) return first - second;
  if (first !== undefined || second !== undefined) return Number.NaN;
  return one < other ? -1 : Number(one > other);
}

function numberOf(text: string): number | undefined {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/.test(text) ? Number(text) : undefined;
}

/**
 * Parts in lower case that each line which meets the conditions has, unless it writes characters as `\u0061`: so most lines need not be read as JSON.
 */
export function partsOfConditions(conditions: readonly FieldCondition[]): string[] {
  const parts = conditions.flatMap(({ name, operator, value }) => {
    const isInLine = operator === "=" || operator === "~";
    return [longestRun(name, /[\w-]+/g), ...(isInLine ? [longestRun(value, /[\w.-]+/g)] : [])];
  });
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** How JSON may escape ASCII characters. */
export const ESCAPED_LETTER = "\\u00";

function longestRun(text: string, run: RegExp): string {
  const runs = text.toLowerCase().match(run) ?? [];
  return runs.reduce((one, other) => (other.length > one.length ? other : one), "");
}
