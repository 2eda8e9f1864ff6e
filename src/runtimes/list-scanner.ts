/**
 * Cuts a list of an API into its items as the bytes come, so that neither the list nor its objects are ever held as a whole, and no step of the work
 * is long. Expects compact or indented JSON: an array of objects, or an object whose member `items` is one.
 */
export interface ListScanner {
  /** The items that are whole now, as JSON. An item beyond the bound comes as null. */
  push(chunk: Buffer): (string | null)[];
  /** All of the list but its items, as JSON. */
  envelope(): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ITEMS = /"items"\s*:\s*\[$/;
const MAX_ENVELOPE_BYTES = 256 * 1024;

/** Where the list is: the whole, or the member `items` of an object. */
export type ListPlace = "whole" | "items";

export function createListScanner(place: ListPlace, maxItemBytes: number): ListScanner {
  /** How deep one is inside of the list. */
  const listDepth = place === "whole" ? 1 : 2;
  let envelope = "";
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isInItems = false;
  let parts: Buffer[] = [];
  let itemBytes = 0;

  function keep(part: Buffer): void {
    if (part.length === 0) return;
    if (isInItems && depth > listDepth) {
      itemBytes += part.length;
      if (itemBytes <= maxItemBytes) parts.push(part);
      else parts = [];
    } else if (!isInItems) {
      envelope += part.toString("latin1");
      if (envelope.length > MAX_ENVELOPE_BYTES) throw new Error("the frame of the list is too long");
    }
  }

  return {
    push(chunk) {
      const items: (string | null)[] = [];
      let start = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        if (isInString) {
          if (isEscaped) {
            isEscaped = false;
            continue;
          }
          const quote = chunk.indexOf(QUOTE, at);
          const end = quote < 0 ? chunk.length : quote;
          const backslash = lastRunOfBackslashes(chunk, at, end);
          isEscaped = backslash % 2 === 1;
          at = end;
          if (quote >= 0 && !isEscaped) isInString = false;
          else if (quote >= 0) isEscaped = false;
          continue;
        }
        const byte = chunk[at];
        if (byte === QUOTE) isInString = true;
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          if (isInItems && depth === listDepth) start = at;
          depth += 1;
          if (!isInItems && depth === listDepth && byte === OPEN_BRACKET) {
            keep(chunk.subarray(start, at + 1));
            start = at + 1;
            isInItems = place === "whole" || ITEMS.test(envelope);
          }
        } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          if (isInItems && depth === listDepth + 1) {
            keep(chunk.subarray(start, at + 1));
            items.push(itemBytes > maxItemBytes ? null : Buffer.concat(parts, itemBytes).toString("utf8"));
            parts = [];
            itemBytes = 0;
            start = at + 1;
          } else if (isInItems && depth === listDepth) {
            isInItems = false;
            start = at;
          }
          depth -= 1;
        }
      }
      keep(chunk.subarray(start));
      return items;
    },
    envelope: () => Buffer.from(envelope, "latin1").toString("utf8"),
  };
}

/** How many backslashes stand before `end`, not before `from`. */
function lastRunOfBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}
