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
/** Labels that say what a container belongs to, by who writes them: of a group, all of them on each container that it makes. */
const CLAIMS = [
  ["project", "service", "container-number", "oneoff", "config-hash"].map((name) => `com.docker.compose.${name}`),
  ["service.id", "service.name", "task.id", "task.name", "node.id"].map((name) => `com.docker.swarm.${name}`),
  ["com.docker.stack.namespace"],
];
/** So much of the value of one is remembered. */
const CLAIM_CHARACTERS = 256;

/** What an engine says of an image. */
interface KnownImage {
  /** `repository@sha256:...`, one for each registry that it came from or was pushed to. */
  repositoryDigests: string[];
  platform: string | null;
  /** Those that steer something; null when they are too long to be remembered. */
  labels: Readonly<Record<string, string | null>> | null;
  /** The beginnings of the values of those that say what it belongs to. */
  claims: ReadonlyMap<string, string>;
}

/** Its labels may not be known to be there either: removed, or denied by a proxy. */
const UNKNOWN: KnownImage = { repositoryDigests: [], platform: null, labels: {}, claims: new Map() };
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
      const labels = Config?.Labels ?? {};
      const image = { repositoryDigests: RepoDigests, platform, labels: steering(labels), claims: claimsIn(labels) };
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
      const traits = { platform, labels: steeringOf(image, Config.Labels), claims: claimsOf(image, Config.Labels) };
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

/** The engine copies them to the container, where the same value may have been written again: that cannot be distinguished. */
function steeringOf({ labels }: KnownImage, ofContainer: ContainerAnswer["Config"]["Labels"]): string[] {
  const isOfImage = (name: string, value: string | null): boolean =>
    labels === null || (Object.hasOwn(labels, name) && (labels[name] ?? "") === (value ?? ""));
  return Object.entries(ofContainer).flatMap(([name, value]) => (STEERS.test(name) && isOfImage(name, value) ? [name] : []));
}

/** An image that Compose built claims its project and service with right: where one label of a group is not the image's, none is. */
function claimsOf({ claims }: KnownImage, ofContainer: ContainerAnswer["Config"]["Labels"]): string[] {
  const claimed = claimsIn(ofContainer);
  return CLAIMS.flatMap((group) => {
    const names = group.filter((name) => claimed.has(name));
    return names.every((name) => claimed.get(name) === claims.get(name)) ? names : [];
  });
}

function claimsIn(labels: Record<string, string | null>): Map<string, string> {
  const names = CLAIMS.flat().filter((name) => Object.hasOwn(labels, name));
  return new Map(names.map((name) => [name, (labels[name] ?? "").slice(0, CLAIM_CHARACTERS)]));
}

function platformOf(platform: { os: string; architecture: string; variant: string } | null | undefined): string | null {
  if (!platform?.os || !platform.architecture) return null;
  return cleanName([platform.os, platform.architecture, ...(platform.variant === "" ? [] : [platform.variant])].join("/")) || null;
}

/** `host:5000/team/app:1.2@sha256:...` without tag and digest. */
function repositoryOf(reference: string): string {
  const withoutDigest = reference.split("@")[0] ?? reference;
  return withoutDigest.replace(/:[^:/]*$/, "");
}
