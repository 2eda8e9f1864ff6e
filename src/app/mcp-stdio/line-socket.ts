import { once } from "node:events";
import { createConnection } from "node:net";
import type { Readable } from "node:stream";

/** A connection to an instance, in lines. */
export interface LineSocket {
  /** Resolves when the next line may follow. */
  send(line: string): Promise<void>;
  close(): void;
}

/** The longest answer of an instance is far from it. */
const MOST_LINE_BYTES = 16_777_216;

/** Connects to a socket of the file system; rejects when nobody listens there. */
export async function connectTo(
  path: string,
  { onLine, onClosed }: { onLine: (line: string) => Promise<void> | void; onClosed: () => void },
): Promise<LineSocket> {
  const socket = createConnection(path);
  await once(socket, "connect");
  socket.on("error", () => undefined);
  // Not before its last line was passed on.
  void readLines(socket, { mostBytes: MOST_LINE_BYTES, onLine, onTooLong: () => socket.destroy() }).then(() => {
    socket.destroy();
    onClosed();
  });
  return {
    async send(line) {
      if (socket.destroyed || socket.write(`${line}\n`)) return;
      await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
    },
    close: () => void socket.destroy(),
  };
}

/** Reads to the end, a line at a time, each after what `onLine` made of the one before; of one that is too long nothing is given. */
export async function readLines(
  stream: Readable,
  { mostBytes, onLine, onTooLong }: { mostBytes: number; onLine: (line: string) => Promise<void> | void; onTooLong: () => void },
): Promise<void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > mostBytes && !isTooLong) {
      isTooLong = true;
      onTooLong();
    }
    if (isTooLong) parts = [];
    else parts.push(part);
  }

  async function end(): Promise<void> {
    const line = isTooLong ? "" : Buffer.concat(parts).toString("utf8");
    parts = [];
    bytes = 0;
    isTooLong = false;
    if (line !== "") await onLine(line);
  }

  try {
    for await (const chunk of stream) {
      let rest: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
        add(rest.subarray(0, at));
        await end();
        rest = rest.subarray(at + 1);
      }
      add(rest);
    }
  } catch {
    // A stream that breaks off has ended.
  }
  await end();
}
