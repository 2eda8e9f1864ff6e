import { ENDPOINT_BOUNDS, EXPECTED_STATUS, HEADER_NAME, OWN_HEADERS } from "../contract/endpoint.ts";
import { parseDomain, parseHostPort, parseHttpUrl } from "../contract/targets.ts";
import { parseDuration } from "../platform/durations.ts";
import { cleanName } from "../platform/text.ts";

/** A value that was understood, or what it must be instead. Messages never repeat the value, which may hold a secret. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; message: string };
export type Parser<Value> = (text: string) => Parsed<Value>;

const MAX_TEXT = 255;
const MAX_LIST = 20;

export function oneOf<const Choice extends string>(...choices: Choice[]): Parser<Choice> {
  return (text) => {
    const chosen = choices.find((choice) => choice === text.trim().toLowerCase());
    return chosen === undefined ? refused(`must be one of ${choices.join(", ")}`) : understood(chosen);
  };
}

export const flag: Parser<boolean> = (text) => {
  const word = text.trim().toLowerCase();
  if (word === "true" || word === "1") return understood(true);
  if (word === "false" || word === "0") return understood(false);
  return refused("must be true or false");
};

export function wholeNumber(least: number, most: number): Parser<number> {
  return (text) => {
    const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? understood(number) : refused(`must be a whole number from ${least} to ${most}`);
  };
}

/** Milliseconds. */
export function duration(leastMs: number, mostMs: number, between: string): Parser<number> {
  return (text) => {
    const milliseconds = parseDuration(text.trim());
    const fits = milliseconds !== undefined && milliseconds >= leastMs && milliseconds <= mostMs;
    return fits ? understood(milliseconds) : refused(`must be a duration from ${between}, such as 30s or 1m30s`);
  };
}

/** Milliseconds; `off` is 0. */
export function durationOrOff(leastMs: number, mostMs: number, between: string): Parser<number> {
  const parse = duration(leastMs, mostMs, between);
  return (text) => {
    if (text.trim().toLowerCase() === "off") return understood(0);
    const parsed = parse(text);
    return parsed.ok ? parsed : refused(`must be off, or a duration from ${between}, such as 30s or 1m30s`);
  };
}

export const plainText: Parser<string> = (text) => {
  const cleaned = cleanName(text, MAX_TEXT + 1);
  if (cleaned === "") return refused("must not be empty");
  return cleaned.length > MAX_TEXT ? refused(`must not be longer than ${MAX_TEXT} characters`) : understood(cleaned);
};

/** Text as it stands, white space and all. */
export function textUpTo(maxLength: number): Parser<string> {
  return (text) => {
    if (text.trim() === "") return refused("must not be empty");
    return text.length > maxLength ? refused(`must not be longer than ${maxLength} characters`) : understood(text);
  };
}

/** What to do about a container, or the address where that is written. */
export const runbookText = textUpTo(8_192);

/** A comma list, each item once. */
export function listOf<Value>(item: Parser<Value>): Parser<Value[]> {
  return (text) => {
    const parts = [...new Set(text.split(",", MAX_LIST * 4).map((part) => part.trim()))].filter((part) => part !== "");
    if (parts.length === 0) return refused("must name at least one, separated by commas");
    if (parts.length > MAX_LIST) return refused(`must not name more than ${MAX_LIST}`);
    const values: Value[] = [];
    for (const part of parts) {
      const parsed = item(part);
      if (!parsed.ok) return refused(`each item ${parsed.message}`);
      values.push(parsed.value);
    }
    return understood(values);
  };
}

/** May hold a user and a password. The host becomes ASCII. */
export const httpUrl: Parser<string> = (text) => {
  const url = parseHttpUrl(text);
  return url === undefined ? refused("must be a URL that begins with http:// or https:// and names a host") : understood(url.href);
};

/** `host:port` or `[address]:port`, the host in ASCII. */
export const hostAndPort: Parser<string> = (text) => {
  const peer = parseHostPort(text);
  return peer === undefined ? refused("must be host:port, with a port from 1 to 65535") : understood(`${peer.host}:${peer.port}`);
};

/** `host` or `host:port`; the host in ASCII and without brackets. */
export const hostMaybePort: Parser<{ host: string; port?: number }> = (text) => {
  const peer = parseHostPort(text);
  const host = parseDomain(peer?.host ?? text);
  if (host === undefined) return refused("must be a host name, or host:port with a port from 1 to 65535");
  return understood(peer === undefined ? { host } : { host, port: peer.port });
};

/** `host` or `host:port` as image names begin. */
export const registryHost: Parser<string> = (text) => {
  const peer = parseHostPort(text);
  const registry = peer === undefined ? parseDomain(text) : `${peer.host}:${peer.port}`;
  return registry === undefined ? refused("must be a host name, or host:port") : understood(registry);
};

export const statusPattern: Parser<string> = (text) => {
  const word = text.toLowerCase();
  return EXPECTED_STATUS.test(word) ? understood(word) : refused("must be a status such as 204, or a class such as 2xx");
};

/** A JSON object of header names and values, or `K=V,K=V`. */
export const headerMap: Parser<Record<string, string>> = (text) => {
  const pairs = text.trim().startsWith("{") ? jsonPairs(text) : text.split(",", ENDPOINT_BOUNDS.headers + 1).map((pair) => splitPair(pair));
  const fits =
    pairs !== undefined &&
    pairs.length <= ENDPOINT_BOUNDS.headers &&
    pairs.every(([name, value]) => HEADER_NAME.test(name) && isHeaderValue(value));
  if (!fits) return refused("must be a JSON object of header names and values, or NAME=VALUE,NAME=VALUE");
  if (pairs.some(([name]) => OWN_HEADERS.test(name))) return refused("must not set headers that frame a message, such as Content-Length");
  return understood(Object.fromEntries(pairs));
};

/**
 * In the syntax of RE2. Look-around and back-references have no linear-time matcher, so they are refused. The matcher itself is large and not here:
 * what both it and JavaScript take is checked by JavaScript, once flags and names are spelt its way.
 */
export const linearPattern: Parser<string> = (text) => {
  const refusal = refused("must be a regular expression without look-around and back-references");
  if (text === "" || text.length > 500 || /\(\?<?[=!]|\\[1-9]|\\k</.test(text)) return refusal;
  try {
    const inJavaScript = new RegExp(text.replace(/^\(\?[imsU]+\)/, "").replaceAll("(?P<", "(?<"), "u");
    return inJavaScript.unicode ? understood(text) : refusal;
  } catch {
    return refusal;
  }
};

function understood<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

function refused(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

function splitPair(pair: string): [string, string] {
  const equals = pair.indexOf("=");
  return equals < 0 ? ["", ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

function jsonPairs(text: string): [string, string][] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const pairs = Object.entries(parsed);
    return pairs.every((pair): pair is [string, string] => typeof pair[1] === "string") ? pairs : undefined;
  } catch {
    return undefined;
  }
}

function isHeaderValue(text: string): boolean {
  return text.length <= 4096 && /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
