/** Cuts a JSON array that comes in chunks into shorter arrays of whole items. */
export interface ItemSplitter {
  /** The items that ended in this chunk, as the text of an array; undefined when none did. */
  push(chunk: Buffer): string | undefined;
  /** Whether it was an array, and has ended. */
  isWhole(): boolean;
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

export function createItemSplitter(): ItemSplitter {
  /** Of the item that is not over. */
  let parts: Buffer[] = [];
  let depth = 0;
  let hasBegun = false;
  let isInString = false;
  let isEscaped = false;

  function textOf(end: Buffer): string | undefined {
    const text = parts.length === 0 ? end.toString("utf8") : Buffer.concat([...parts, end]).toString("utf8");
    parts = [];
    return text.trim() === "" ? undefined : `[${text}]`;
  }

  return {
    push(chunk) {
      let start = 0;
      /** Behind the last item that is whole. */
      let end = -1;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) isInString = true;
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
          depth += 1;
          if (depth > 1 || hasBegun) continue;
          hasBegun = true;
          start = index + 1;
        } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
          depth -= 1;
          if (depth === 0) end = index;
        } else if (byte === COMMA && depth === 1) end = index;
      }
      const text = end === -1 ? undefined : textOf(chunk.subarray(start, end));
      if (depth > 0) parts.push(chunk.subarray(end === -1 ? start : end + 1));
      return text;
    },
    isWhole: () => hasBegun && depth === 0,
  };
}
