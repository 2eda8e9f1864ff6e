import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { acceptsEncoding } from "../../../http/encodings.ts";
import { namesEtag } from "../../../http/etags.ts";
import { Answer } from "../../../http/route.ts";

/** An answer made ready: its bytes as they stand, compressed once somebody asks for it so, and the answer to those who have it. */
export type Copy = (headers: IncomingHttpHeaders) => Answer & { body: Buffer | undefined };

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Smaller ones would not gain. */
const LEAST_COMPRESSED = 1024;
/** A page is compressed after every change, for the first who asks, so quickly: a millisecond for fifty kilobytes. */
const QUALITY = { brotli: 5, gzip: 6 } as const;

export function createCopy(text: string, headers: OutgoingHttpHeaders): Copy {
  const bytes = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const shared = { ...headers, etag, vary: "Accept-Encoding, Origin" };
  const kept = answerOf(304, undefined, shared);
  const plain = answerOf(200, bytes, shared);
  if (bytes.length < LEAST_COMPRESSED) return (asked) => (namesEtag(asked["if-none-match"], etag) ? kept : plain);
  const compressed = new Map<Encoding, ReturnType<Copy>>();
  return (asked) => {
    if (namesEtag(asked["if-none-match"], etag)) return kept;
    const accepted = asked["accept-encoding"];
    const encoding = accepted === undefined ? undefined : ENCODINGS.find((name) => acceptsEncoding(accepted, name));
    if (encoding === undefined) return plain;
    let answer = compressed.get(encoding);
    if (answer === undefined) {
      answer = answerOf(200, compress[encoding](bytes), { ...shared, "content-encoding": encoding });
      compressed.set(encoding, answer);
    }
    return answer;
  };
}

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => gzipSync(bytes, { level: QUALITY.gzip }),
};

function answerOf(status: number, body: Buffer | undefined, headers: OutgoingHttpHeaders): ReturnType<Copy> {
  return Object.assign(new Answer(status, body, headers), { body });
}
