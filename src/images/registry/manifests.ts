import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import { type Repository, type Version, RegistryError } from "../image.ts";
import type { Answer, RegistryClient } from "./client.ts";
import { parseJson, readShape } from "./faults.ts";
import { createMemory } from "./memory.ts";
import { isDigest } from "./reference.ts";
import { anyManifestSchema, indexSchema, manifestSchema } from "./schemas.ts";

/** What a tag or a digest leads to. */
export type Manifest =
  | ({ kind: "image"; digest: string } & z.infer<typeof manifestSchema>)
  | ({ kind: "index"; digest: string } & z.infer<typeof indexSchema>);

/** What we can read, the newest first. */
export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;

const SCHEMA_1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+/;

/** Throws when the type of an answer says that it is no manifest, or one of the kind that Docker gave up. `what` is whose it is. */
function checkManifestType(contentType: string | undefined, what: string): void {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (SCHEMA_1.test(type)) throw schema1(what);
  if (type !== "" && !/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type))
    throw new RegistryError(
      "malformed",
      `The registry answered with ${JSON.stringify(type.slice(0, 60))} when asked for the manifest of ${what}.`,
    );
}

/** Reads a manifest as it was sent. Throws a RegistryError when it is none. */
export function parseManifest(body: Buffer, contentType: string | undefined, digest: string, what: string): Manifest {
  checkManifestType(contentType, what);
  const name = `The manifest of ${what}`;
  const json = parseJson(body, name);
  const shape = readShape(json, anyManifestSchema, name);
  if (shape.schemaVersion === 1 || shape.fsLayers !== undefined) throw schema1(what);
  // What is both could be read as either, by its own choice. Source: CVE-2021-41190.
  if (shape.manifests !== undefined && shape.layers !== undefined)
    throw new RegistryError("malformed", `${name} is a list and an image at once.`);
  if (shape.manifests !== undefined) return { kind: "index", digest, ...readShape(json, indexSchema, name) };
  return { kind: "image", digest, ...readShape(json, manifestSchema, name) };
}

/** Of bytes, in the algorithm of a digest. */
function digestLike(body: Buffer, digest: string): string {
  const algorithm = digest.startsWith("sha512:") ? "sha512" : "sha256";
  return `${algorithm}:${createHash(algorithm).update(body).digest("hex")}`;
}

function schema1(what: string): RegistryError {
  return new RegistryError(
    "refused",
    `${what} has a manifest of schema 1, which Docker gave up in 2019: it must be pushed again to be looked at.`,
  );
}

export interface Manifests {
  digestOf(repository: Repository, version: Version, signal: AbortSignal): Promise<string>;
  read(repository: Repository, version: Version, signal: AbortSignal): Promise<Manifest>;
  clear(): void;
}

const MOST_BYTES = 4_194_304;
const REMEMBERED_BYTES = 8_388_608;
/** Parsed, a manifest takes about so much of its length. */
const PARSED = 2;
const ACCEPT = { accept: MANIFEST_TYPES.join(", ") };
/** With these some registries say that they do not know HEAD. */
const NO_HEAD = [400, 405, 406, 415, 501];

export function createManifests(client: RegistryClient): Manifests {
  const known = createMemory<Manifest>(REMEMBERED_BYTES);
  /** Where HEAD has no digest, and what GET answered of a tag there, for conditional requests. */
  const headless = createMemory<true>(65_536);
  const tagged = createMemory<{ etag: string; digest: string }>(1_048_576);

  function keyOf({ registry, repository }: Repository, name: string): string {
    return `${registry}/${repository}@${name}`;
  }

  function question(repository: Repository, name: string, signal: AbortSignal) {
    return { repository, path: `manifests/${name}`, what: whatOf(repository, name), signal };
  }

  async function digestByHead(repository: Repository, tag: string, signal: AbortSignal): Promise<string | undefined> {
    const accepts = [200, ...NO_HEAD];
    const answer = await client.ask({ ...question(repository, tag, signal), method: "HEAD", headers: ACCEPT, accepts }, 0);
    const digest = digestHeader(answer.headers);
    if (answer.status !== 200 || digest === undefined) return undefined;
    checkManifestType(answer.headers["content-type"], whatOf(repository, tag));
    return digest;
  }

  function take(repository: Repository, name: string, { headers, body }: Answer): Manifest {
    const what = whatOf(repository, name);
    const stated = isDigest(name) ? name : digestHeader(headers);
    const digest = digestLike(body, stated ?? "sha256:");
    // Before the type: what a proxy puts in between is not the registry's word, and the reason is then the better one.
    const manifest = parseManifest(body, headers["content-type"], digest, what);
    if (stated !== undefined && stated !== digest)
      throw new RegistryError("malformed", `The manifest of ${what} is not the one of its digest.`);
    known.set(keyOf(repository, digest), manifest, body.length * PARSED);
    return manifest;
  }

  async function digestByGet(repository: Repository, tag: string, signal: AbortSignal): Promise<string> {
    const before = tagged.get(keyOf(repository, tag));
    const headers = { ...ACCEPT, ...(before === undefined ? {} : { "if-none-match": before.etag }) };
    const accepts = before === undefined ? [200] : [200, 304];
    const answer = await client.ask({ ...question(repository, tag, signal), method: "GET", headers, accepts }, MOST_BYTES);
    if (answer.status === 304 && before !== undefined) return before.digest;
    const { digest } = take(repository, tag, answer);
    const { etag } = answer.headers;
    if (etag !== undefined && etag.length <= 256) tagged.set(keyOf(repository, tag), { etag, digest }, etag.length + digest.length);
    return digest;
  }

  async function digestOf(repository: Repository, version: Version, signal: AbortSignal): Promise<string> {
    const name = nameOf(version);
    if (known.get(keyOf(repository, name)) !== undefined) return name;
    if (headless.get(repository.registry) === undefined) {
      const digest = await digestByHead(repository, name, signal);
      if (digest !== undefined && "digest" in version && digest !== version.digest)
        throw new RegistryError(
          "malformed",
          `${repository.registry} answered with another digest than that of ${whatOf(repository, name)}.`,
        );
      if (digest !== undefined) return digest;
    }
    const digest = await digestByGet(repository, name, signal);
    headless.set(repository.registry, true, 0);
    return digest;
  }

  return {
    digestOf,
    async read(repository, version, signal) {
      const digest = "digest" in version ? version.digest : await digestOf(repository, version, signal);
      const found = known.get(keyOf(repository, digest));
      if (found !== undefined) return found;
      const answer = await client.ask(
        { ...question(repository, digest, signal), method: "GET", headers: ACCEPT, accepts: [200] },
        MOST_BYTES,
      );
      return take(repository, digest, answer);
    },
    clear() {
      for (const memory of [known, headless, tagged]) memory.clear();
    },
  };
}

function nameOf(version: Version): string {
  return "digest" in version ? version.digest : version.tag;
}

function whatOf({ repository }: Repository, name: string): string {
  return `${repository}${isDigest(name) ? "@" : ":"}${name}`;
}

function digestHeader(headers: IncomingHttpHeaders): string | undefined {
  const stated = headers["docker-content-digest"];
  return typeof stated === "string" && isDigest(stated) ? stated : undefined;
}
