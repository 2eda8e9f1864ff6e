import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { TestRegistry } from "./registry.ts";

/** As manifests name what they hold. */
export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { os: string; architecture: string; variant?: string };
  annotations?: Record<string, string>;
  artifactType?: string;
}

export interface ImageParts {
  /** Of the configuration. */
  architecture?: string;
  os?: string;
  variant?: string;
  created?: string;
  labels?: Record<string, string>;
  env?: string[];
  cmd?: string[];
  entrypoint?: string[];
  /** Compressed tar files; one of a few bytes when absent. */
  layers?: readonly Buffer[];
  annotations?: Record<string, string>;
  /** Makes images that differ in nothing else differ. */
  note?: string;
}

const OCI = "application/vnd.oci.image";
export const MEDIA_TYPES = {
  index: `${OCI}.index.v1+json`,
  manifest: `${OCI}.manifest.v1+json`,
  config: `${OCI}.config.v1+json`,
  layer: `${OCI}.layer.v1.tar+gzip`,
  statement: "application/vnd.in-toto+json",
} as const;

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export async function pushBlob(registry: TestRegistry, repository: string, body: Buffer, mediaType: string): Promise<Descriptor> {
  const digest = sha256(body);
  const begun = await registry.push("POST", `${repository}/blobs/uploads/`, { repository });
  const location = begun.headers.get("location");
  if (begun.status !== 202 || location === null) throw new Error(`no upload to ${repository}: ${begun.status} ${await begun.text()}`);
  const path = `${location.replace(/^(?:http:\/\/[^/]+)?\/v2\//, "")}&digest=${encodeURIComponent(digest)}`;
  const done = await registry.push("PUT", path, { repository, body, headers: { "content-type": "application/octet-stream" } });
  if (done.status !== 201) throw new Error(`no blob in ${repository}: ${done.status} ${await done.text()}`);
  return { mediaType, digest, size: body.length };
}

/** Under tags, or under its digest alone when there are none. */
export async function pushManifest(
  registry: TestRegistry,
  repository: string,
  manifest: { mediaType: string; [field: string]: unknown },
  ...tags: string[]
): Promise<Descriptor> {
  const body = Buffer.from(JSON.stringify(manifest));
  const digest = sha256(body);
  for (const reference of tags.length === 0 ? [digest] : tags) {
    const options = { repository, body, headers: { "content-type": manifest.mediaType } };
    const done = await registry.push("PUT", `${repository}/manifests/${reference}`, options);
    if (done.status !== 201) throw new Error(`no manifest ${repository}:${reference}: ${done.status} ${await done.text()}`);
  }
  return { mediaType: manifest.mediaType, digest, size: body.length };
}

/** An image of one platform; the descriptor says for which, and what its configuration is. */
export async function pushImage(
  registry: TestRegistry,
  repository: string,
  parts: ImageParts = {},
  ...tags: string[]
): Promise<Descriptor & { configDigest: string }> {
  const { os = "linux", architecture = "amd64", variant, layers = [gzipSync("not much")], annotations } = parts;
  const settings = { Labels: parts.labels ?? null, Env: parts.env ?? null, Cmd: parts.cmd ?? null, Entrypoint: parts.entrypoint ?? null };
  const rootfs = { type: "layers", diff_ids: layers.map(sha256) };
  const facts = { architecture, os, ...(variant === undefined ? {} : { variant }), created: parts.created ?? "2026-01-01T00:00:00Z" };
  const config = { ...facts, author: parts.note ?? "", config: settings, rootfs };
  const pushed: Descriptor[] = [];
  for (const layer of layers) pushed.push(await pushBlob(registry, repository, layer, MEDIA_TYPES.layer));
  const { digest, size } = await pushBlob(registry, repository, Buffer.from(JSON.stringify(config)), MEDIA_TYPES.config);
  const manifest = {
    schemaVersion: 2,
    mediaType: MEDIA_TYPES.manifest,
    config: { mediaType: MEDIA_TYPES.config, digest, size },
    layers: pushed,
    ...(annotations === undefined ? {} : { annotations }),
  };
  const descriptor = await pushManifest(registry, repository, manifest, ...tags);
  return { ...descriptor, platform: { os, architecture, ...(variant === undefined ? {} : { variant }) }, configDigest: digest };
}

/** A list of images, as `docker buildx` makes it for several platforms. */
export function pushIndex(
  registry: TestRegistry,
  repository: string,
  entries: readonly Descriptor[],
  ...tags: string[]
): Promise<Descriptor> {
  const manifests = entries.map(({ mediaType, digest, size, platform, annotations }) => ({
    mediaType,
    digest,
    size,
    platform,
    annotations,
  }));
  return pushManifest(registry, repository, { schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests }, ...tags);
}

/** What BuildKit puts into the list beside an image: a statement about it, of which the document is the predicate. */
export async function pushAttestation(
  registry: TestRegistry,
  repository: string,
  { image, predicateType, document }: { image: Descriptor; predicateType: string; document: unknown },
): Promise<Descriptor> {
  const [algorithm = "", hex = ""] = image.digest.split(":");
  const subject = [{ name: "_", digest: { [algorithm]: hex } }];
  const statement = { _type: "https://in-toto.io/Statement/v0.1", predicateType, subject, predicate: document };
  const layer = await pushBlob(registry, repository, Buffer.from(JSON.stringify(statement)), MEDIA_TYPES.statement);
  const config = await pushBlob(registry, repository, Buffer.from('{"architecture":"unknown","os":"unknown"}'), MEDIA_TYPES.config);
  const layers = [{ ...layer, annotations: { "in-toto.io/predicate-type": predicateType } }];
  const descriptor = await pushManifest(registry, repository, { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers });
  const annotations = { "vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": image.digest };
  return { ...descriptor, platform: { os: "unknown", architecture: "unknown" }, annotations };
}

export const SPDX = "https://spdx.dev/Document";
export const CYCLONEDX = "https://cyclonedx.org/bom";
