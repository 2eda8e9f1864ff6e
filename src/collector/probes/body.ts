import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** A text is looked for in so much of a body. No more of it is read, and no more of it is unpacked. */
const SEARCHED_BYTES = 1024 * 1024;

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
/** More layers than this are an attack. */
const MAX_ENCODINGS = 2;

/** How the search for a text ended: `beyond` is not found in what is searched, and there is more. */
export type Search = "found" | "absent" | "beyond";

/**
 * Looks for a text in a body, however it is cut into pieces; reads no further than it must, and then closes the connection.
 * Throws what the stream fails with, or an error for a body that cannot be unpacked.
 */
export async function searchBody(response: IncomingMessage, text: string): Promise<Search> {
  const needle = Buffer.from(text, isLatin1(response) ? "latin1" : "utf8");
  const packed = bounded();
  const unpacked = bounded();
  let tail: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unpacked.pass(decoded(response, packed))) {
      const seen = Buffer.concat([tail, chunk]);
      if (seen.includes(needle)) return "found";
      tail = seen.subarray(Math.max(0, seen.length - needle.length + 1));
    }
    return packed.isCut() || unpacked.isCut() ? "beyond" : "absent";
  } catch (error) {
    // A packed body that we cut ourselves ends too early for its decoder.
    if (packed.isCut()) return "beyond";
    throw error;
  } finally {
    response.destroy();
  }
}

interface Bound {
  pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  isCut(): boolean;
}

/** Lets the first bytes through and ends there. */
function bounded(): Bound {
  let left = SEARCHED_BYTES;
  return {
    async *pass(source) {
      for await (const chunk of source) {
        yield chunk.subarray(0, Math.max(left, 0));
        left -= chunk.length;
        if (left < 0) return;
      }
    },
    isCut: () => left < 0,
  };
}

/** The body without its encodings, in reverse order of their application. */
function decoded(response: IncomingMessage, packed: Bound): Readable {
  const names = (response.headers["content-encoding"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== "" && name !== "identity").toReversed();
  if (encodings.length > MAX_ENCODINGS) throw new Error("its body is packed too often");
  let body: Readable = response;
  for (const [index, encoding] of encodings.entries()) {
    const decoder = DECODERS[encoding]?.();
    if (decoder === undefined) throw new Error("its body is packed in a way that is not known here");
    // What fails reaches the reader of the last stream.
    const ignore = (): void => undefined;
    body = index === 0 ? pipeline(body, packed.pass, decoder, ignore) : pipeline(body, decoder, ignore);
  }
  return body;
}

function isLatin1(response: IncomingMessage): boolean {
  return /charset\s*=\s*"?(?:iso-8859-1|latin1|windows-1252)\b/i.test(response.headers["content-type"] ?? "");
}
