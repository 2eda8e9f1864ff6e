import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { acceptsEncoding } from "../../../http/encodings.ts";
import { namesEtag } from "../../../http/etags.ts";
import { Answer } from "../../../http/route.ts";

/** An answer made ready: its bytes as they stand and compressed, and the answer to those who have it. */
export type Copy = (headers: IncomingHttpHeaders) => Answer & { body: Buffer | undefined };

/** Smaller ones would not gain. */
const LEAST_COMPRESSED = 1024;
/** A page is compressed at every change, so quickly: a millisecond each for fifty kilobytes. */
const QUALITY = { brotli: 5, gzip: 6 } as const;

export function createCopy(text: string, headers: OutgoingHttpHeaders): Copy {
  const bytes = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const shared = { ...headers, etag, vary: "Accept-Encoding, Origin" };
  const kept = answerOf(304, undefined, shared);
  const plain = answerOf(200, bytes, shared);
  if (bytes.length < LEAST_COMPRESSED) return (asked) => (namesEtag(asked["if-none-match"], etag) ? kept : plain);
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const compressed = [
    { name: "br", answer: answerOf(200, brotli, { ...shared, "content-encoding": "br" }) },
    { name: "gzip", answer: answerOf(200, gzipSync(bytes, { level: QUALITY.gzip }), { ...shared, "content-encoding": "gzip" }) },
  ];
  return (asked) => {
    if (namesEtag(asked["if-none-match"], etag)) return kept;
    const accepted = asked["accept-encoding"];
    if (accepted === undefined) return plain;
    return compressed.find(({ name }) => acceptsEncoding(accepted, name))?.answer ?? plain;
  };
}

function answerOf(status: number, body: Buffer | undefined, headers: OutgoingHttpHeaders): ReturnType<Copy> {
  return Object.assign(new Answer(status, body, headers), { body });
}
