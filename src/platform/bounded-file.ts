import { closeSync, openSync, readSync } from "node:fs";

/** The text of a small file. Throws when it has more than `maxBytes`, whatever its size claims to be: devices and pipes have none. */
export function readBoundedFile(path: string, maxBytes: number): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= maxBytes; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    if (length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
