import type { Platform } from "../image.ts";
import type { IndexEntry } from "./schemas.ts";

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
export function isAttestation({ annotations, platform }: IndexEntry): boolean {
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
