import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import { type Repository, RegistryError } from "../image.ts";
import type { RegistryClient } from "./client.ts";
import { registryFault } from "./faults.ts";
import { isDigest } from "./reference.ts";

export interface BlobOptions {
  maxBytes: number;
  signal: AbortSignal;
}

export interface Blobs {
  /** Checked against its digest while it is read: the stream fails at its end when they differ, or as soon as there are too many bytes. */
  stream(repository: Repository, digest: string, options: BlobOptions): Promise<Readable>;
  whole(repository: Repository, digest: string, options: BlobOptions): Promise<Buffer>;
}

export function createBlobs(client: RegistryClient): Blobs {
  async function stream(repository: Repository, digest: string, { maxBytes, signal }: BlobOptions): Promise<Readable> {
    const what = `${repository.repository}@${digest}`;
    if (!isDigest(digest)) throw new RegistryError("malformed", `A part of ${repository.repository} has no digest that can be checked.`);
    const tooLarge = (): RegistryError => new RegistryError("too_large", `${what} has more than ${maxBytes} bytes.`);
    const { body, headers } = await client.stream({ repository, method: "GET", path: `blobs/${digest}`, what, accepts: [200], signal });
    if (Number(headers["content-length"] ?? 0) > maxBytes) {
      body.destroy();
      throw tooLarge();
    }
    const hash = createHash(digest.startsWith("sha512:") ? "sha512" : "sha256");
    let bytes = 0;
    const checked = new Transform({
      transform(piece: Buffer, _, callback) {
        bytes += piece.length;
        if (bytes > maxBytes) return callback(tooLarge());
        hash.update(piece);
        callback(null, piece);
      },
      flush(callback) {
        const isSame = hash.digest("hex") === digest.slice(digest.indexOf(":") + 1);
        callback(isSame ? null : new RegistryError("malformed", `${what} is not what its digest says.`));
      },
      destroy(error, callback) {
        body.destroy();
        callback(error);
      },
    });
    body.on("error", (error) => {
      const fault = registryFault(error, signal);
      checked.destroy(fault instanceof Error ? fault : new RegistryError("unavailable", `${what} was not read to its end.`));
    });
    // Readers get the error; while there are none, it must not end the process.
    checked.on("error", () => undefined);
    return body.pipe(checked);
  }

  return {
    stream,
    async whole(repository, digest, options) {
      const pieces: Buffer[] = [];
      for await (const piece of (await stream(repository, digest, options)) as AsyncIterable<Buffer>) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}
