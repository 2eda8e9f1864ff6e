import { compareDigits } from "./order.ts";

/** The order of Debian and Ubuntu: epoch, upstream version, revision. Source: Debian Policy, section 5.6.12, and dpkg's verrevcmp. */
export function compareDpkg(a: string, b: string): number | undefined {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) return undefined;
  return (
    compareDigits(left.epoch, right.epoch) || compareParts(left.upstream, right.upstream) || compareParts(left.revision, right.revision)
  );
}

function parse(text: string): { epoch: string; upstream: string; revision: string } | undefined {
  const colon = text.indexOf(":");
  const epoch = colon === -1 ? "0" : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (!/^\d+$/.test(epoch) || !/^[A-Za-z0-9.+:~-]+$/.test(rest)) return undefined;
  const hyphen = rest.lastIndexOf("-");
  return hyphen === -1
    ? { epoch, upstream: rest, revision: "" }
    : { epoch, upstream: rest.slice(0, hyphen), revision: rest.slice(hyphen + 1) };
}

/** Text and numbers in turn; `~` is older than the end of the text, the end older than letters, letters older than all else. */
function compareParts(a: string, b: string): number {
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = weight(a, i) - weight(b, j);
      if (difference !== 0) return difference;
      i += 1;
      j += 1;
    }
    const left = digitsAt(a, i);
    const right = digitsAt(b, j);
    const difference = compareDigits(left, right);
    if (difference !== 0) return difference;
    i += left.length;
    j += right.length;
  }
  return 0;
}

function weight(text: string, index: number): number {
  const character = text[index];
  if (character === undefined || isDigit(text, index)) return 0;
  if (character === "~") return -1;
  const code = character.charCodeAt(0);
  return /[A-Za-z]/.test(character) ? code : code + 256;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

function digitsAt(text: string, index: number): string {
  let end = index;
  while (end < text.length && isDigit(text, end)) end += 1;
  return text.slice(index, end);
}
