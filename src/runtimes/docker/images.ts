import { isServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import type { EngineClient } from "./client.ts";
import type { ImageTraits } from "./container.ts";
import { type ContainerAnswer, imageAnswer } from "./schemas.ts";

const MAX_REMEMBERED = 2000;
/** Of the names and values of an image's labels. */
const MAX_LABEL_CHARACTERS = 16_384;
/** Labels that steer this program, and those by which Compose finds a project's files. */
const STEERS = /^(?:service\.|com\.docker\.compose\.project\.)/;

/** What an engine says of an image. */
interface KnownImage {
  /** `repository@sha256:...`, one for each registry that it came from or was pushed to. */
  repositoryDigests: string[];
  platform: string | null;
  /** Those that steer something; null when they are too long to be remembered. */
  labels: Readonly<Record<string, string | null>> | null;
}

/** Its labels may not be known to be there either: removed, or denied by a proxy. */
const UNKNOWN: KnownImage = { repositoryDigests: [], platform: null, labels: {} };
/** It does not let itself be read. What might be its own is then not taken for the container's. */
const UNREADABLE: KnownImage = { ...UNKNOWN, labels: null };

/** Finds what the images of containers are; asks once an image. */
export interface Images {
  traitsOf(container: ContainerAnswer, signal: AbortSignal): Promise<ImageTraits>;
}

export function createImages(client: EngineClient): Images {
  const remembered = new Map<string, KnownImage>();

  async function find(imageId: string, signal: AbortSignal): Promise<KnownImage> {
    const known = remembered.get(imageId);
    if (known !== undefined) return known;
    if (!client.mayReadImages) return UNKNOWN;
    try {
      const answer = await client.json(imageAnswer, { route: "image", id: imageId }, signal);
      const { RepoDigests, Os, Architecture, Variant, Config } = answer;
      const platform = platformOf({ os: Os, architecture: Architecture, variant: Variant });
      const image = { repositoryDigests: RepoDigests, platform, labels: steering(Config?.Labels ?? {}) };
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(imageId, image);
      return image;
    } catch (error) {
      // The image's id does instead.
      if (isServiceError(error) && !signal.aborted) return error.code === "not_found" ? UNKNOWN : UNREADABLE;
      throw error;
    }
  }

  return {
    async traitsOf({ Image, ImageDigest, ImageManifestDescriptor: manifest, Config }, signal) {
      const image = /^(?:sha256:)?[0-9a-f]{64}$/.test(Image) ? await find(Image, signal) : UNKNOWN;
      const { repositoryDigests } = image;
      const platform = image.platform ?? platformOf(manifest?.platform);
      const labels = Object.entries(Config.Labels).filter(([name, value]) => STEERS.test(name) && isOf(image, name, value));
      const traits = { platform, labels: labels.map(([name]) => name) };
      if (ImageDigest !== "") return { ...traits, repositoryDigest: undefined };
      const repository = repositoryOf(Config.Image);
      const chosen = repositoryDigests.find((digest) => digest.startsWith(`${repository}@`)) ?? repositoryDigests[0];
      return { ...traits, repositoryDigest: chosen?.slice(chosen.indexOf("@") + 1) };
    },
  };
}

function steering(labels: Record<string, string | null>): KnownImage["labels"] {
  const chosen = Object.entries(labels).filter(([name]) => STEERS.test(name));
  const characters = chosen.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
  return characters > MAX_LABEL_CHARACTERS ? null : Object.fromEntries(chosen);
}

/** The engine copies them to the container, where the same value may have been written again: nobody can tell. */
function isOf({ labels }: KnownImage, name: string, value: string | null): boolean {
  return labels === null || (Object.hasOwn(labels, name) && (labels[name] ?? "") === (value ?? ""));
}

function platformOf(said: { os: string; architecture: string; variant: string } | null | undefined): string | null {
  if (!said?.os || !said.architecture) return null;
  return cleanName([said.os, said.architecture, ...(said.variant === "" ? [] : [said.variant])].join("/")) || null;
}

/** `host:5000/team/app:1.2@sha256:...` without tag and digest. */
function repositoryOf(reference: string): string {
  const withoutDigest = reference.split("@")[0] ?? reference;
  return withoutDigest.replace(/:[^:/]*$/, "");
}
