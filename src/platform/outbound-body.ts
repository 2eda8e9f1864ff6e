import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Clock, Timer } from "./clock.ts";
import { OutboundError } from "./outbound-error.ts";

/** An answer whose body has not been read yet. */
export interface OutboundOpened {
  status: number;
  headers: IncomingHttpHeaders;
  /** After redirects. */
  url: string;
  /** Must be read to its end or destroyed. Fails with an OutboundError. */
  body: Readable;
}

export interface BodyOptions {
  clock: Clock;
  signal: AbortSignal;
  /** In the form that may be shown. */
  host: string;
  /** How long a reader may wait for a piece of the body. */
  idleMs: number;
  /** How long the body may take as a whole; undefined for no limit. */
  wholeMs: number | undefined;
}

/** The body of a response. It fails when nothing comes for too long, when it takes too long as a whole, and when the signal is aborted. */
export function bodyOf(response: IncomingMessage, { clock, signal, host, idleMs, wholeMs }: BodyOptions): Readable {
  let idle: Timer | undefined;
  const fail = (sentence: string, reason: "timeout" | "aborted" | "connection"): void =>
    void body.destroy(new OutboundError(sentence, reason));
  const tooSlow = (): void => fail(`${host} did not send the rest of its answer in time`, "timeout");
  const broken = (): void => fail(`${host} closed the connection in the middle of its answer`, "connection");
  const abort = (): void => fail("The attempt was broken off", "aborted");
  const body = new Readable({
    read() {
      // The time of a slow reader does not count against the server.
      idle ??= clock.after(idleMs, tooSlow);
      response.resume();
    },
    destroy(error, callback) {
      idle?.cancel();
      whole?.cancel();
      signal.removeEventListener("abort", abort);
      if (!response.complete || error !== null) response.destroy();
      callback(error);
    },
  });
  const whole = wholeMs === undefined ? undefined : clock.after(wholeMs, tooSlow);
  signal.addEventListener("abort", abort, { once: true });
  response.pause();
  response.on("data", (chunk: Buffer) => {
    idle?.cancel();
    idle = undefined;
    if (!body.push(chunk)) response.pause();
    else idle = clock.after(idleMs, tooSlow);
  });
  response.once("end", () => {
    idle?.cancel();
    body.push(null);
  });
  response.once("error", broken);
  response.once("close", () => {
    if (!response.complete) broken();
  });
  // Readers get the error; without a reader it must not end the process.
  body.on("error", () => undefined);
  if (signal.aborted) abort();
  return body;
}

/** Reads the whole body. If it is longer than `maxBytes`, throws an OutboundError `too_large` and closes the connection. */
export async function readBody(
  { body, headers, url }: Pick<OutboundOpened, "body" | "headers" | "url">,
  maxBytes: number,
): Promise<Buffer> {
  const host = URL.parse(url)?.hostname ?? "the server";
  const tooLarge = (): OutboundError => new OutboundError(`The answer of ${host} is longer than ${maxBytes} bytes`, "too_large");
  try {
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge();
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    body.destroy();
  }
}
