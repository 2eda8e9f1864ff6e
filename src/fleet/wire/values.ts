import { cleanName, cleanText } from "../../platform/text.ts";
import { MAX_TIME_MS, MIN_TIME_MS } from "./limits.ts";

/** Invalid bytes: the field of the message, and what is wrong with it. Never contains what was sent. */
export class WireError extends Error {
  override name = "WireError";

  constructor(where: string, what: string, options?: ErrorOptions) {
    super(`${where} ${what}`, options);
  }
}

/** A 64-bit number as one of JavaScript. Throws a WireError that names `where` when it is not exact. */
export function numberOf(value: bigint, where: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new WireError(where, "is beyond 2^53");
  return number;
}

/** A time between 1970 and `latestMs`. */
export function dateOf(ms: bigint, where: string, latestMs: number = MAX_TIME_MS, earliestMs = 0): Date {
  const number = Number(ms);
  if (!(number >= earliestMs && number <= latestMs)) throw new WireError(where, "is out of range");
  return new Date(number);
}

/** A time in a certificate, which may be long before 1970. */
export function longDateOf(ms: bigint, where: string): Date {
  return dateOf(ms, where, MAX_TIME_MS, MIN_TIME_MS);
}

export function optionalDate(ms: bigint | undefined, where: string): Date | null {
  return ms === undefined ? null : dateOf(ms, where);
}

/** The milliseconds of a date; undefined without one. */
export function msOf(date: Date): bigint;
export function msOf(date: Date | null): bigint | undefined;
export function msOf(date: Date | null): bigint | undefined {
  return date === null ? undefined : BigInt(date.getTime());
}

/** Text without the null character, which cannot be stored; otherwise unchanged. */
export function textOf(text: string, where: string, maxLength: number): string {
  if (text.length > maxLength) throw new WireError(where, `has more than ${maxLength} characters`);
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** Cleans text for use as a name, as collectors do. A character may be two units of a string; more than that is too long. */
export function nameOf(text: string, where: string, maxLength: number): string {
  if (text.length > maxLength * 2) throw new WireError(where, `has more than ${maxLength} characters`);
  return cleanName(text, maxLength);
}

/** The same for text of several lines. */
export function linesOf(text: string, where: string, maxLength: number): string {
  if (text.length > maxLength * 2) throw new WireError(where, `has more than ${maxLength} characters`);
  return cleanText(text, maxLength);
}

/** The same for text that a third party chose and the agent only passes on: it is cut, since refusing it would lose everything else. */
export function cutName(text: string, maxLength: number): string {
  return cleanName(text.slice(0, maxLength * 2), maxLength);
}

/** The same as `nameOf`; null for what is missing or empty. */
export function optionalName(text: string | undefined, where: string, maxLength: number): string | null {
  return text === undefined ? null : nameOf(text, where, maxLength) || null;
}

/** Accepts or refuses an identifying text unchanged: cut, it would identify something else. */
export function idOf(text: string, where: string, maxLength: number): string {
  const fault = faultOfId(text, maxLength);
  if (fault !== undefined) throw new WireError(where, fault);
  return text;
}

/** Whether `idOf` accepts it. */
export function isId(text: string, maxLength: number): boolean {
  return faultOfId(text, maxLength) === undefined;
}

function faultOfId(text: string, maxLength: number): string | undefined {
  if (text === "") return "is empty";
  if (text.length > maxLength) return `has more than ${maxLength} characters`;
  return PLAIN.test(text) || cleanName(text, maxLength) === text ? undefined : "has characters that do not belong into a name";
}

/** Most ids are like this, and need no cleaning. */
const PLAIN = /^[!-~]+$/;

export function within(value: number, where: string, [least, most]: readonly [number, number]): number {
  if (!(value >= least && value <= most)) throw new WireError(where, `is not between ${least} and ${most}`);
  return value;
}

export function listOf<Sent, Read>(
  sent: readonly Sent[],
  where: string,
  { most, read }: { most: number; read: (item: Sent, where: string) => Read },
): Read[] {
  if (sent.length > most) throw new WireError(where, `has more than ${most} items`);
  return sent.map((item, index) => read(item, `${where}[${index}]`));
}

/** Translates between words and the numbers of an enumeration. An unknown number becomes undefined. */
export interface Words<Word extends string, Value extends number> {
  numbers: Readonly<Record<Word, Value>>;
  wordOf(value: number): Word | undefined;
}

export function words<Word extends string, Value extends number>(numbers: Readonly<Record<Word, Value>>): Words<Word, Value> {
  // The keys of a record of words are those words.
  const byNumber = new Map((Object.keys(numbers) as Word[]).map((word): [number, Word] => [numbers[word], word]));
  return { numbers, wordOf: (value) => byNumber.get(value) };
}

export function required<Value>(value: Value | undefined, where: string): Value {
  if (value === undefined) throw new WireError(where, "is missing or not known");
  return value;
}

interface PairLimits {
  most: number;
  maxName: number;
  maxValue: number;
}

/** A map, with its names and values unchanged. */
export function pairsOf(
  sent: Readonly<Record<string, string>>,
  where: string,
  { most, maxName, maxValue }: PairLimits,
): Record<string, string> {
  const pairs = Object.entries(sent);
  if (pairs.length > most) throw new WireError(where, `has more than ${most} entries`);
  return Object.fromEntries(
    pairs.map(([name, value]) => [textOf(name, `${where}: a name`, maxName), textOf(value, `${where}: a value`, maxValue)]),
  );
}
