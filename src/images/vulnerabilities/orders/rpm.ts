import { compareDigits, compareText } from "./order.ts";

/**
 * The order of RPM: epoch, version, release; without a release on one side the other's does not count. Source: rpm's rpmvercmp and
 * docs/man/rpm-version.
 */
export function compareRpm(a: string, b: string): number | undefined {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) return undefined;
  const first = compareDigits(left.epoch, right.epoch) || compareParts(left.version, right.version);
  if (first !== 0 || left.release === undefined || right.release === undefined) return first;
  return compareParts(left.release, right.release);
}

function parse(text: string): { epoch: string; version: string; release: string | undefined } | undefined {
  const colon = text.indexOf(":");
  const epoch = colon === -1 ? "0" : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (!/^\d+$/.test(epoch) || !/^[\x21-\x7e]+$/.test(rest)) return undefined;
  const hyphen = rest.lastIndexOf("-");
  return { epoch, version: hyphen === -1 ? rest : rest.slice(0, hyphen), release: hyphen === -1 ? undefined : rest.slice(hyphen + 1) };
}

/** Runs of digits and of letters in turn; `~` is older than the end, `^` newer than the end and older than all else. */
function compareParts(a: string, b: string): number {
  const left = a.match(PART) ?? [];
  const right = b.match(PART) ?? [];
  for (let index = 0; index < left.length || index < right.length; index += 1) {
    const one = left[index] ?? "";
    const other = right[index] ?? "";
    if (one === other) continue;
    if (one === "~" || other === "~") return one === "~" ? -1 : 1;
    if (one === "^" || other === "^") return one === "^" ? (other === "" ? 1 : -1) : one === "" ? -1 : 1;
    if (one === "" || other === "") return one === "" ? -1 : 1;
    const numbers = Number(isNumber(one)) - Number(isNumber(other));
    if (numbers !== 0) return numbers;
    const difference = isNumber(one) ? compareDigits(one, other) : compareText(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

const PART = /\d+|[A-Za-z]+|[~^]/g;

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}
