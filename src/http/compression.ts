import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { FastifyReply } from "fastify";
import { acceptsEncoding } from "./encodings.ts";

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|[\w.-]+\+json|xml|[\w.-]+\+xml|javascript)|image\/svg\+xml)/;

/** In order of preference, each at a cheap level, since an answer is compressed for one reader. */
const ENCODINGS: readonly { name: string; compress(bytes: Buffer): Promise<Buffer> }[] = [
  { name: "zstd", compress: (bytes) => zstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 2 } }) },
  {
    name: "br",
    compress: (bytes) =>
      brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  },
  { name: "gzip", compress: (bytes) => zip(bytes, { level: 3 }) },
];

const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Makes the body that is sent, and its headers. Never rejects. */
export type Compression = (reply: FastifyReply, body: string | Buffer) => Promise<string | Buffer>;

/**
 * Compresses text on separate threads for clients that accept it; a Buffer that is answered again is compressed once for each encoding. Other and
 * compressed content passes unchanged. Source: RFC 9110, 8.4 and 12.5.3.
 */
export function createCompression(): Compression {
  const kept = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

  function compressed(bytes: Buffer, { name, compress }: (typeof ENCODINGS)[number]): Promise<Buffer> {
    const known = kept.get(bytes) ?? new Map<string, Promise<Buffer>>();
    kept.set(bytes, known);
    const promise = known.get(name) ?? compress(bytes);
    known.set(name, promise);
    return promise;
  }

  return async (reply, body) => {
    if (!isCompressible(reply)) return body;
    addVary(reply);
    const encoding = ENCODINGS.find(({ name }) => acceptsEncoding(reply.request.headers["accept-encoding"], name));
    if (encoding === undefined) return body;
    const smaller = await compressed(Buffer.isBuffer(body) ? body : Buffer.from(body), encoding).catch(() => undefined);
    if (smaller === undefined) return body;
    reply.header("content-encoding", encoding.name).removeHeader("content-length");
    const etag = reply.getHeader("etag");
    // A strong tag names the exact bytes, which have changed.
    if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
    return smaller;
  };
}

function isCompressible(reply: FastifyReply): boolean {
  return !reply.hasHeader("content-encoding") && COMPRESSIBLE.test(String(reply.getHeader("content-type") ?? ""));
}

function addVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader("vary") ?? "");
  if (/accept-encoding/i.test(vary)) return;
  reply.header("vary", vary === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
}
