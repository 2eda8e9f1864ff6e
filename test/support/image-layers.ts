/** Layers of images, made in memory, and a registry that serves them. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import type { BillOfMaterials, Layer, PlatformImage } from "../../src/images/image.ts";
import { RegistryError } from "../../src/images/index.ts";
import type { Registries } from "../../src/images/registry/index.ts";

/** A file's content by its path, or an entry as it stands. A path that ends with a slash is a folder. */
export type LayerEntry = readonly [path: string, content: string | Buffer] | (Partial<Header> & { name: string });

export type Compression = "gzip" | "zstd" | "none";

/** An archive as it is, not compressed. */
export async function archive(entries: readonly LayerEntry[]): Promise<Buffer> {
  const packed = pack();
  const chunks: Buffer[] = [];
  packed.on("data", (chunk) => chunks.push(chunk as Buffer));
  const done = new Promise<void>((resolve, reject) => {
    packed.on("end", resolve);
    packed.on("error", reject);
  });
  for (const entry of entries) {
    if (!("name" in entry)) {
      const [name, content] = entry;
      if (name.endsWith("/")) packed.entry({ name, type: "directory" });
      else packed.entry({ name }, content);
    } else packed.entry(entry);
  }
  packed.finalize();
  await done;
  return Buffer.concat(chunks);
}

export interface MadeLayer {
  layer: Layer;
  bytes: Buffer;
}

/** A layer of these files. */
export async function layerOf(entries: readonly LayerEntry[], compression: Compression = "gzip"): Promise<MadeLayer> {
  return layerOfArchive(await archive(entries), compression);
}

/** A layer of an archive that somebody else made, or broke. */
export function layerOfArchive(tar: Buffer, compression: Compression = "gzip"): MadeLayer {
  const bytes = compression === "gzip" ? gzipSync(tar) : compression === "zstd" ? zstdCompressSync(tar) : tar;
  return layerOfBytes(bytes, `application/vnd.oci.image.layer.v1.tar${compression === "none" ? "" : `+${compression}`}`);
}

export function layerOfBytes(bytes: Buffer, mediaType = "application/vnd.oci.image.layer.v1.tar+gzip"): MadeLayer {
  return { bytes, layer: { digest: digestOf(bytes), size: bytes.length, mediaType } };
}

/** The image of these layers, from the lowest up. */
export function imageOf(layers: readonly MadeLayer[], change: Partial<PlatformImage> = {}): PlatformImage {
  return {
    registry: "registry.test",
    repository: "made",
    indexDigest: null,
    digest: digestOf(Buffer.from(layers.map(({ layer }) => layer.digest).join("\n"))),
    configDigest: digestOf(Buffer.from("{}")),
    layers: layers.map(({ layer }) => layer),
    annotations: {},
    ...change,
  };
}

/** A registry that serves layers from memory as the real client hands them out: held against their digest at the end. */
export interface MemoryRegistry {
  registries: Pick<Registries, "blob" | "billsOfMaterials">;
  bills: BillOfMaterials[];
  /** Streams that were opened and are neither at their end nor destroyed. */
  open(): number;
  /** How often each digest was asked for. */
  asked: Map<string, number>;
  /** What a layer is answered with instead. */
  instead: Map<string, () => Readable | Promise<Readable>>;
}

export function memoryRegistry(layers: readonly MadeLayer[], pieceBytes = 16 * 1024): MemoryRegistry {
  const byDigest = new Map(layers.map(({ layer, bytes }) => [layer.digest, bytes]));
  const asked = new Map<string, number>();
  const instead: MemoryRegistry["instead"] = new Map();
  const bills: BillOfMaterials[] = [];
  const streams = new Set<Readable>();
  return {
    bills,
    asked,
    instead,
    open: () => streams.size,
    registries: {
      async billsOfMaterials() {
        return { bills, unread: 0 };
      },
      async blob(_repository, digest, { signal }) {
        asked.set(digest, (asked.get(digest) ?? 0) + 1);
        const bytes = byDigest.get(digest);
        const other = instead.get(digest);
        if (bytes === undefined && other === undefined) throw new RegistryError("not_found", `the registry has no ${digest}`);
        const stream = other === undefined ? Readable.from(pieces(bytes ?? Buffer.alloc(0), digest, pieceBytes)) : await other();
        streams.add(stream);
        stream.on("close", () => streams.delete(stream));
        signal.addEventListener("abort", () => stream.destroy(), { once: true });
        return stream;
      },
    },
  };
}

async function* pieces(bytes: Buffer, digest: string, size: number): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    hash.update(piece);
    yield piece;
  }
  if (`sha256:${hash.digest("hex")}` !== digest) throw new RegistryError("malformed", "the layer is not what its digest says");
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
