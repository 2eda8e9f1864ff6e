import type { z } from "zod";
import { type ImageConfig, type Platform, type PlatformImage, type Repository, type Version, RegistryError } from "../image.ts";
import type { Blobs } from "./blobs.ts";
import { readJson } from "./faults.ts";
import type { Manifests, Manifest } from "./manifests.ts";
import { createMemory } from "./memory.ts";
import { configSchema, type IndexEntry } from "./schemas.ts";

export interface Images {
  image(repository: Repository, version: Version, platform: Platform | null, signal: AbortSignal): Promise<PlatformImage>;
  config(image: PlatformImage, signal: AbortSignal): Promise<ImageConfig>;
  clear(): void;
}

/** A list may lead to a list, but not for ever. */
const DEEPEST_LIST = 2;
const CONFIG_BYTES = 8_388_608;
const REMEMBERED_BYTES = 4_194_304;

export function createImages(manifests: Manifests, blobs: Blobs): Images {
  const configs = createMemory<ImageConfig>(REMEMBERED_BYTES);

  return {
    async image(repository, version, platform, signal) {
      const what = `${repository.repository} of ${repository.registry}`;
      let manifest: Manifest = await manifests.read(repository, version, signal);
      const indexDigest = manifest.kind === "index" ? manifest.digest : null;
      const annotations: Record<string, string> = {};
      for (let depth = 0; manifest.kind === "index"; depth += 1) {
        if (depth === DEEPEST_LIST) throw new RegistryError("malformed", `The list of platforms of ${what} leads to lists alone.`);
        const entry = choosePlatform(manifest.manifests, platform);
        if (entry === "several")
          throw new RegistryError("not_found", `${what} is there for several platforms, and which one is meant is not known.`);
        if (entry === undefined)
          throw new RegistryError("not_found", `${what} is not there for ${platform === null ? "any platform" : shown(platform)}.`);
        Object.assign(annotations, manifest.annotations, entry.annotations);
        manifest = await manifests.read(repository, { digest: entry.digest }, signal);
      }
      const layers = manifest.layers.map(({ digest, size, mediaType }) => ({ digest, size: size ?? 0, mediaType: mediaType ?? "" }));
      return {
        registry: repository.registry,
        repository: repository.repository,
        indexDigest,
        digest: manifest.digest,
        configDigest: manifest.config.digest,
        layers,
        annotations: { ...annotations, ...manifest.annotations },
      };
    },

    async config(image, signal) {
      const key = `${image.registry}/${image.repository}@${image.configDigest}`;
      const found = configs.get(key);
      if (found !== undefined) return found;
      const body = await blobs.whole(image, image.configDigest, { maxBytes: CONFIG_BYTES, signal });
      const config = imageConfig(readJson(body, configSchema, `The configuration of ${image.repository}`));
      configs.set(key, config, JSON.stringify(config).length * 2);
      return config;
    },

    clear: () => configs.clear(),
  };
}

function shown({ os, architecture, variant }: Platform): string {
  return [os, architecture, ...(variant === null ? [] : [variant])].join("/");
}

/** Docker's first year: what says that it is older was built so that it always looks the same. */
const FIRST_YEAR = 2013;
const BOUNDS = { labels: 500, labelLength: 8192, lines: 2000, lineLength: 8192 };

/** What a configuration says, within bounds. */
export function imageConfig({ os, architecture, variant, created, config }: z.infer<typeof configSchema>): ImageConfig {
  const labels = Object.entries(config?.Labels ?? {}).slice(0, BOUNDS.labels);
  return {
    platform: os && architecture ? { os, architecture, variant: variant || null } : null,
    createdAt: builtAt(created),
    labels: Object.fromEntries(labels.map(([name, value]) => [name.slice(0, 255), value.slice(0, BOUNDS.labelLength)])),
    environment: bounded(config?.Env) ?? [],
    command: bounded(config?.Cmd),
    entrypoint: bounded(config?.Entrypoint),
  };
}

function bounded(lines: readonly string[] | null | undefined): string[] | null {
  return lines?.slice(0, BOUNDS.lines).map((line) => line.slice(0, BOUNDS.lineLength)) ?? null;
}

function builtAt(created: string | null | undefined): Date | null {
  const at = /^\d{4}-\d\d-\d\dT/.test(created ?? "") ? new Date(created ?? "") : null;
  return at === null || Number.isNaN(at.getTime()) || at.getUTCFullYear() < FIRST_YEAR ? null : at;
}

/** Names of processors that are not those of images. */
const ARCHITECTURES: Readonly<Record<string, Pick<Platform, "architecture" | "variant">>> = {
  x86_64: { architecture: "amd64", variant: null },
  aarch64: { architecture: "arm64", variant: null },
  armhf: { architecture: "arm", variant: "v7" },
  armel: { architecture: "arm", variant: "v6" },
  i386: { architecture: "386", variant: null },
};
/** What an architecture is without a variant. Source: containerd/platforms, Normalize. */
const DEFAULT_VARIANTS: Readonly<Record<string, string>> = { arm64: "v8", arm: "v7", amd64: "v1" };

/** The entry says of itself that it is about another: what is attested of an image is not an image. */
function isAttestation({ annotations, platform }: IndexEntry): boolean {
  return annotations?.["vnd.docker.reference.type"] !== undefined || platform?.os === "unknown" || platform?.architecture === "unknown";
}

/**
 * The entry of a list for a platform, or the next older variant that it runs; `"several"` when none is named and there is more than one,
 * undefined when there is none.
 */
export function choosePlatform(entries: readonly IndexEntry[], platform: Platform | null): IndexEntry | "several" | undefined {
  const images = entries.filter((entry) => !isAttestation(entry));
  if (platform === null) return images.length > 1 ? "several" : images[0];
  const wanted = normalized(platform);
  for (const variant of variantsFrom(wanted.variant)) {
    const found = images.find(({ platform: offered }) => {
      const has = offered === null || offered === undefined ? undefined : normalized({ ...offered, variant: offered.variant ?? null });
      return has !== undefined && has.os === wanted.os && has.architecture === wanted.architecture && has.variant === variant;
    });
    if (found !== undefined) return found;
  }
  // A list of one that does not say what it is for.
  const [only] = images;
  return images.length === 1 && !only?.platform ? only : undefined;
}

function normalized({ os, architecture, variant }: Platform): Platform {
  const known = ARCHITECTURES[architecture.toLowerCase()];
  const name = known?.architecture ?? architecture.toLowerCase();
  const given = (variant || known?.variant)?.toLowerCase().replace(/^(?=\d)/, "v") ?? null;
  return { os: os.toLowerCase(), architecture: name, variant: given ?? DEFAULT_VARIANTS[name] ?? null };
}

/** A processor runs what was made for its predecessors: v7, v6, v5. */
function variantsFrom(variant: string | null): (string | null)[] {
  const number = Number(/^v(\d)$/.exec(variant ?? "")?.[1] ?? Number.NaN);
  return Number.isNaN(number) ? [variant] : Array.from({ length: number }, (_, step) => `v${number - step}`);
}
