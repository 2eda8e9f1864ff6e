import { isSecretName, looksSecret, MASK } from "../platform/secrets.ts";

/** A record in short: a few of its fields, as text. */
export type ShortRecord = Readonly<Record<string, string | number | boolean | null>>;

const MOST_FIELDS = 24;
/** Of a record, before what differs is known. */
const MOST_READ = 200;
const MOST_CHARACTERS = 200;
/** Ways to use a secret, which say it again; and addresses of people, which must not outlive their deletion. */
const HIDDEN_NAME = /^(?:uuid|ping_url|snippets?|commands?|email|recipients|token_prefix)$/;

/** Of a record, what its caller calls it; elsewhere a key may be one that opens something. */
const CALLER_KEY = "key";

/** What is shown of a record in the audit log: without secrets, short, and only what it has. */
export function shortRecord(record: Readonly<Record<string, unknown>>): ShortRecord {
  const fields = Object.entries(allFields(record)).filter(([name, value]) => value !== null && name !== "id");
  return Object.fromEntries(fields.slice(0, MOST_FIELDS));
}

function allFields(record: Readonly<Record<string, unknown>>): ShortRecord {
  const secrets = secretsOf(record);
  const fields = Object.entries(record).slice(0, MOST_READ);
  return Object.fromEntries(fields.map(([name, value]) => [name, shortValue(name, value, secrets)]));
}

/** The fields that differ, as they were and as they are. */
export function changedFields(
  found: Readonly<Record<string, unknown>>,
  left: Readonly<Record<string, unknown>>,
): { before: ShortRecord; after: ShortRecord } {
  const [before, after] = [allFields(found), allFields(left)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .slice(0, MOST_FIELDS);
  const only = (record: ShortRecord): ShortRecord =>
    Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
  return { before: only(before), after: only(after) };
}

/** How people call a record. */
export function nameOf(record: Readonly<Record<string, unknown>>): string | null {
  for (const field of [
    "name",
    "label",
    "title",
    "domain",
    "container_name",
    "entity_name",
    "display_name",
    "target",
    "pattern",
    "reason",
  ]) {
    const value = record[field];
    if (typeof value === "string" && value !== "" && !looksSecret(field, value)) return cut(value);
  }
  return null;
}

function shortValue(name: string, value: unknown, secrets: readonly string[]): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (isHidden(name) && name !== CALLER_KEY) return MASK;
  const text = typeof value === "string" ? value : JSON.stringify(value, (key, inner: unknown) => maskedValue(key, inner));
  const isSecret =
    secrets.some((secret) => text.includes(secret)) || (text === value && looksSecret(name === CALLER_KEY ? "" : name, text));
  return isSecret ? MASK : cut(text);
}

function maskedValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (isHidden(name)) return MASK;
  return typeof value === "string" && looksSecret(name, value) ? MASK : value;
}

function isHidden(name: string): boolean {
  return HIDDEN_NAME.test(name) || isSecretName(name);
}

/** What stands under the names of secrets, so that it is found again where it stands in another text. */
function secretsOf(record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    typeof value === "string" && value.length >= 8 && value !== MASK && name !== CALLER_KEY && isSecretName(name) ? [value] : [],
  );
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}
