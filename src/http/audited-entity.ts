import { isObject } from "../platform/object.ts";
import { isSecretName, looksSecret, MASK } from "../platform/secrets.ts";
import { loadInputParser } from "./input.ts";
import { Answer } from "./route.ts";
import type { Route, RouteRequest } from "./route.ts";

type Given = RouteRequest<unknown, unknown, unknown>;
type Parameters = Readonly<Record<string, unknown>>;

/** What an operation is about, derived from its path. */
export interface AuditedEntity {
  /** `heartbeat`, `status component`. */
  type: string;
  id: string | null;
  /** The record in the form of the API; undefined when no route reads it, or it does not exist. */
  read(request: Given): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/**
 * Finds the record that a route is about: the answer of GET at the same path, or at the nearest path above it that ends with an id, or the item with
 * this id in the list above that.
 */
export function createEntityFinder(routes: readonly Route[]): (definition: Route, params: Parameters) => AuditedEntity {
  const readers = new Map(
    routes.flatMap((route) =>
      route.method === "GET" && route.access === "admin" && route.stream !== true ? [[route.path, route] as const] : [],
    ),
  );
  return (definition, params) => {
    const path = entityPath(definition, readers);
    // For a part of a record, the record is named.
    const named = path.includes("}") ? path.slice(0, path.lastIndexOf("}") + 1) : path;
    const [, parameter] = /\{(\w+)\}$/.exec(named) ?? [];
    const id = parameter === undefined ? null : String(params[parameter]);
    const route = readers.get(path);
    const list = path.endsWith("}") ? readers.get(path.replace(/\/\{\w+\}$/, "")) : undefined;
    return {
      type: typeOf(named),
      id,
      async read(request) {
        if (route !== undefined && (definition.method !== "POST" || parameter !== undefined))
          return recordIn(await answerOf(route, params, request));
        if (list === undefined) return undefined;
        return itemIn(await answerOf(list, params, request), id);
      },
    };
  };
}

function entityPath({ method, path }: Route, readers: ReadonlyMap<string, Route>): string {
  if (method !== "POST" && readers.has(path)) return path;
  for (let at = path; at.startsWith("/api/v1/"); at = at.slice(0, at.lastIndexOf("/"))) {
    const isKnown = at.endsWith("}") && (readers.has(at) || readers.has(at.replace(/\/\{\w+\}$/, "")));
    if (isKnown) return at;
  }
  return path;
}

/**
 * The words of a path without its ids, the last one singular: `/api/v1/status/components/{id}` is a `status component`. A bulk operation is about one
 * record at a time.
 */
function typeOf(path: string): string {
  const words = path
    .replace(/^\/api\/v1\//, "")
    .replace(/:\w+$/, "")
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("{"))
    .map((part) => part.replaceAll("-", " "));
  const last = words.at(-1) ?? "";
  const singular = path.endsWith("}") || !last.endsWith("settings") ? last.replace(/ies$/, "y").replace(/(?<![su])s$/, "") : last;
  return [...words.slice(0, -1), singular].join(" ");
}

/** The answer of a route; undefined when it refuses. */
async function answerOf(route: Route, params: Parameters, request: Given): Promise<unknown> {
  try {
    const own = Object.fromEntries(Object.entries(params).filter(([name]) => route.path.includes(`{${name}}`)));
    const parse = await loadInputParser(route);
    const input = parse({ params: own, query: {}, body: undefined });
    const { clientAddress, peerAddress, requestId, signal, log } = request;
    const answer = await route.handle({ ...input, method: "GET", headers: {}, clientAddress, peerAddress, requestId, signal, log });
    const body = answer instanceof Answer ? answer.body : answer;
    return typeof body === "string" || Buffer.isBuffer(body) ? (JSON.parse(String(body)) as unknown) : body;
  } catch {
    return undefined;
  }
}

/** The record of an answer: the answer itself, or its first member with an id. */
export function recordIn(answer: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(answer)) return undefined;
  if ("id" in answer) return answer;
  return Object.values(answer).find((member): member is Record<string, unknown> => isObject(member) && "id" in member) ?? answer;
}

function itemIn(answer: unknown, id: string | null): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(answer)) return undefined;
  const items: unknown[] = Object.values(answer).filter(Array.isArray).flat();
  return items.filter(isObject).find((item) => String(item["id"]) === id);
}

/** A short form of a record: a few of its fields, as text. */
export type ShortRecord = Readonly<Record<string, string | number | boolean | null>>;

const MOST_FIELDS = 24;
/** How many fields of a record are compared; of those that differ, at most MOST_FIELDS are kept. */
const MOST_READ = 200;
const MOST_CHARACTERS = 200;
/** Names of fields that repeat a secret, and of people's addresses, which must not outlive their deletion. */
const HIDDEN_NAME = /^(?:uuid|ping_url|snippets?|commands?|email|recipients|token_prefix)$/;

/** The address of an email channel. */
const MAILTO = /^mailto:/i;

/** The key that the caller gave to a record. In other objects a field of this name may be a secret. */
const CALLER_KEY = "key";

/** The form of a record in the audit log: without secrets, short, and only the fields that it has. */
export function shortRecord(record: Readonly<Record<string, unknown>>): ShortRecord {
  const fields = Object.entries(allFields(record, secretsOf(record))).filter(([name, value]) => value !== null && name !== "id");
  return Object.fromEntries(fields.slice(0, MOST_FIELDS));
}

function allFields(record: Readonly<Record<string, unknown>>, secrets: readonly string[]): ShortRecord {
  const fields = Object.entries(record).slice(0, MOST_READ);
  return Object.fromEntries(fields.map(([name, value]) => [name, shortValue(name, value, secrets)]));
}

/** The fields that differ, before and after. */
export function changedFields(
  found: Readonly<Record<string, unknown>>,
  left: Readonly<Record<string, unknown>>,
): { before: ShortRecord; after: ShortRecord } {
  // An error may repeat an address that was changed since.
  const secrets = [...secretsOf(found), ...secretsOf(left)];
  const [before, after] = [allFields(found, secrets), allFields(left, secrets)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .slice(0, MOST_FIELDS);
  const only = (record: ShortRecord): ShortRecord =>
    Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
  return { before: only(before), after: only(after) };
}

/** The display name of a record. */
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
  const repeated = text.toLowerCase();
  const isSecret =
    MAILTO.test(text) ||
    secrets.some((secret) => repeated.includes(secret)) ||
    (text === value && looksSecret(name === CALLER_KEY ? "" : name, text));
  return isSecret ? MASK : cut(text);
}

function maskedValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (isHidden(name)) return MASK;
  return typeof value === "string" && (MAILTO.test(value) || looksSecret(name, value)) ? MASK : value;
}

function isHidden(name: string): boolean {
  return HIDDEN_NAME.test(name) || isSecretName(name);
}

/** The values of hidden fields in lower case, so that they can be found when another text repeats them, such as an error. */
function secretsOf(record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (typeof value !== "string" || value === MASK || name === CALLER_KEY) return [];
    const text = value.toLowerCase();
    if (MAILTO.test(text)) return text.replace(MAILTO, "").split(",").filter(isLong);
    return isHidden(name) && isLong(text) ? [text] : [];
  });
}

/** A shorter one is in other texts by chance. */
function isLong(secret: string): boolean {
  return secret.length >= 8 || /.@./.test(secret);
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}
