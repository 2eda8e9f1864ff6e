import type { IncomingHttpHeaders } from "node:http";
import { type Repository, type Version, RegistryError } from "../image.ts";
import type { Answer, RegistryClient } from "./client.ts";
import { checkManifestType, digestLike, type Manifest, MANIFEST_TYPES, parseManifest } from "./manifest.ts";
import { createMemory } from "./memory.ts";
import { isDigest } from "./reference.ts";

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
  /** Where HEAD tells nothing, and what GET told of a tag there, to be asked about with a condition. */
  const headless = createMemory<true>(65_536);
  const tagged = createMemory<{ etag: string; digest: string }>(1_048_576);

  function keyOf({ registry, repository }: Repository, name: string): string {
    return `${registry}/${repository}@${name}`;
  }

  function question(
    repository: Repository,
    name: string,
    signal: AbortSignal,
  ): Pick<Parameters<RegistryClient["ask"]>[0], "repository" | "path" | "what" | "signal"> {
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
    const said = isDigest(name) ? name : digestHeader(headers);
    const digest = digestLike(body, said ?? "sha256:");
    // Before the type: what a proxy puts in between is not the registry's word, and the reason is then the better one.
    const manifest = parseManifest(body, headers["content-type"], digest, what);
    if (said !== undefined && said !== digest)
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
  const said = headers["docker-content-digest"];
  return typeof said === "string" && isDigest(said) ? said : undefined;
}
