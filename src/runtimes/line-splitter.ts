/** Cuts a byte stream into lines, safely across chunks and characters. A line that is longer than the bound comes as null; an empty one not at all. */
interface LineSplitter {
  push(chunk: Buffer): (string | null)[];
}

const NEWLINE = 10;

export function createLineSplitter(maxBytes: number): LineSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  }

  return {
    push(chunk) {
      const lines: (string | null)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        if (bytes > 0) lines.push(bytes > maxBytes ? null : Buffer.concat(parts, bytes).toString("utf8"));
        parts = [];
        bytes = 0;
        start = end + 1;
      }
      add(chunk.subarray(start));
      return lines;
    },
  };
}
