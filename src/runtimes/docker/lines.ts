/** Cuts a byte stream into lines, safely across chunks and multi-byte characters. A line longer than the bound is left out. */
export interface LineSplitter {
  push(chunk: Buffer): string[];
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
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        if (bytes > 0 && bytes <= maxBytes) lines.push(Buffer.concat(parts).toString("utf8"));
        parts = [];
        bytes = 0;
        start = end + 1;
      }
      add(chunk.subarray(start));
      return lines;
    },
  };
}
