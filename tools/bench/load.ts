import { connect } from "node:net";

/** Sends requests one after another on kept connections, reading whole answers by their Content-Length; the cheapest client there is. */
export async function getRepeatedly({
  port,
  path,
  connections,
  requests,
}: {
  port: number;
  /** The same for all, or by the number of the request on its connection. */
  path: string | ((request: number) => string);
  connections: number;
  requests: number;
}): Promise<{ seconds: number; bytes: number; latenciesMs: number[] }> {
  let left = requests;
  let bytes = 0;
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      return new Promise<void>((resolve, reject) => {
        let request = 0;
        let sentMs = 0;
        const next = (): void => {
          if (left-- <= 0) return void socket.end(() => resolve());
          // Every request of another address, so that the limits of the specification stay on and do not matter.
          request += 1;
          sentMs = performance.now();
          const asked = typeof path === "string" ? path : path(request);
          socket.write(`GET ${asked} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address(index, request)}\r\n\r\n`);
        };
        const take = answersOf((size, status) => {
          if (status !== 200) return reject(new Error(`answered ${status}`));
          bytes += size;
          latenciesMs.push(performance.now() - sentMs);
          next();
        });
        // Always read into the same room: else what is measured is also how the garbage of this process is collected.
        const onread = {
          buffer: Buffer.alloc(65_536),
          callback: (length: number, read: Uint8Array): boolean => {
            take(read.subarray(0, length));
            return true;
          },
        };
        const socket = connect({ port, host: "127.0.0.1", onread });
        socket.on("error", reject);
        next();
      });
    }),
  );
  return { seconds: (performance.now() - startedMs) / 1000, bytes, latenciesMs };
}

/** A client address out of a /8 that nobody else uses. */
export function address(connection: number, request: number): string {
  return `10.${connection % 256}.${(request >> 8) % 256}.${request % 256}`;
}

const NOTHING = Buffer.alloc(0);

/** Takes what a connection reads, piece by piece; each whole answer is reported with its size and status. */
function answersOf(answered: (size: number, status: number) => void): (read: Uint8Array) => void {
  let missing = 0;
  let begin = NOTHING;
  let size = 0;
  let status = 0;
  return (read) => {
    if (missing > 0) {
      missing -= read.length;
      if (missing === 0) answered(size, status);
      return;
    }
    const begun = begin.length === 0 ? Buffer.from(read.buffer, read.byteOffset, read.length) : Buffer.concat([begin, read]);
    const end = begun.indexOf("\r\n\r\n");
    // What is read next goes where this lies.
    begin = end === -1 ? Buffer.from(begun) : NOTHING;
    if (end === -1) return;
    const text = begun.toString("latin1", 0, end);
    status = Number(text.slice(9, 12));
    size = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    missing = size - (begun.length - end - 4);
    if (missing === 0) answered(size, status);
  };
}
