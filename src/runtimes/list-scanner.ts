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

/**
 * Cuts a list of an API into its items as the bytes come, so that neither the list nor its objects are ever held as a whole, and no step of the work
 * is long. Expects compact or indented JSON: an array of objects, or an object whose member `items` is one.
 */
export class ListScanner {
  readonly #place: ListPlace;
  readonly #maxItemBytes: number;
  /** How deep one is inside of the list. */
  readonly #listDepth: number;
  #envelope = "";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInItems = false;
  /** Of the item that is not whole yet. */
  #parts: Buffer[] = [];
  #itemBytes = 0;
  #items: (string | null)[] = [];

  constructor(place: ListPlace, maxItemBytes: number) {
    this.#place = place;
    this.#maxItemBytes = maxItemBytes;
    this.#listDepth = place === "whole" ? 1 : 2;
  }

  /** The items that are whole now, as JSON. An item beyond the bound comes as null. */
  push(chunk: Buffer): (string | null)[] {
    this.#items = [];
    /** Where begins what is not kept yet. */
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) start = this.#open(chunk, start, at);
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) start = this.#close(chunk, start, at);
    }
    this.#keep(chunk.subarray(start));
    return this.#items;
  }

  /** All of the list but its items, as JSON. */
  envelope(): string {
    return Buffer.from(this.#envelope, "latin1").toString("utf8");
  }

  /** Returns where the string ends, or the chunk before it. */
  #skipString(chunk: Buffer, at: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return at;
    }
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote < 0 ? chunk.length : quote;
    const isEscaped = lastRunOfBackslashes(chunk, at, end) % 2 === 1;
    // An escaped quote is behind us; a backslash at the end of the chunk escapes what comes next.
    this.#isEscaped = isEscaped && quote < 0;
    if (quote >= 0 && !isEscaped) this.#isInString = false;
    return end;
  }

  /** A brace or bracket opens. Returns where begins what is not kept yet. */
  #open(chunk: Buffer, start: number, at: number): number {
    const isItem = this.#isInItems && this.#depth === this.#listDepth;
    this.#depth += 1;
    if (isItem) return at;
    if (this.#isInItems || this.#depth !== this.#listDepth || chunk[at] !== OPEN_BRACKET) return start;
    this.#keep(chunk.subarray(start, at + 1));
    this.#isInItems = this.#place === "whole" || ITEMS.test(this.#envelope);
    return at + 1;
  }

  /** A brace or bracket closes. Returns where begins what is not kept yet. */
  #close(chunk: Buffer, start: number, at: number): number {
    const depthInList = this.#isInItems ? this.#depth - this.#listDepth : undefined;
    if (depthInList === 1) this.#finishItem(chunk.subarray(start, at + 1));
    if (depthInList === 0) this.#isInItems = false;
    this.#depth -= 1;
    if (depthInList === 1) return at + 1;
    return depthInList === 0 ? at : start;
  }

  #finishItem(lastPart: Buffer): void {
    this.#keep(lastPart);
    this.#items.push(this.#itemBytes > this.#maxItemBytes ? null : Buffer.concat(this.#parts, this.#itemBytes).toString("utf8"));
    this.#parts = [];
    this.#itemBytes = 0;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#isInItems && this.#depth > this.#listDepth) {
      this.#itemBytes += part.length;
      if (this.#itemBytes <= this.#maxItemBytes) this.#parts.push(part);
      else this.#parts = [];
    } else if (!this.#isInItems) {
      this.#envelope += part.toString("latin1");
      if (this.#envelope.length > MAX_ENVELOPE_BYTES) throw new Error("the frame of the list is too long");
    }
  }
}

/** How many backslashes stand before `end`, not before `from`. */
function lastRunOfBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}
