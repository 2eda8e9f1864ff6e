import { isServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import type { EngineClient } from "./client.ts";
import type { ImageTraits } from "./container.ts";
import { type ContainerAnswer, imageAnswer } from "./schemas.ts";

const MAX_REMEMBERED = 2000;

/** What an engine says of an image. */
interface KnownImage {
  /** `repository@sha256:...`, one for each registry that it came from or was pushed to. */
  repositoryDigests: string[];
  platform: string | null;
}

/** Finds what the images of containers are; asks once an image. */
export interface Images {
  traitsOf(container: ContainerAnswer, signal: AbortSignal): Promise<ImageTraits>;
}

export function createImages(client: EngineClient): Images {
  const remembered = new Map<string, KnownImage>();

  async function find(imageId: string, signal: AbortSignal): Promise<KnownImage | undefined> {
    const known = remembered.get(imageId);
    if (known !== undefined) return known;
    try {
      const { RepoDigests, Os, Architecture, Variant } = await client.json(imageAnswer, { route: "image", id: imageId }, signal);
      const parts = Os === "" || Architecture === "" ? [] : [Os, Architecture, ...(Variant === "" ? [] : [Variant])];
      const image = { repositoryDigests: RepoDigests, platform: cleanName(parts.join("/")) || null };
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(imageId, image);
      return image;
    } catch (error) {
      // Removed, or denied by a proxy: the image's id does instead.
      if (isServiceError(error) && !signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    async traitsOf({ Image, ImageDigest, Config }, signal) {
      const image = /^(?:sha256:)?[0-9a-f]{64}$/.test(Image) ? await find(Image, signal) : undefined;
      const { repositoryDigests = [], platform = null } = image ?? {};
      if (ImageDigest !== "") return { repositoryDigest: undefined, platform };
      const repository = repositoryOf(Config.Image);
      const chosen = repositoryDigests.find((digest) => digest.startsWith(`${repository}@`)) ?? repositoryDigests[0];
      return { repositoryDigest: chosen?.slice(chosen.indexOf("@") + 1), platform };
    },
  };
}

/** `host:5000/team/app:1.2@sha256:...` without tag and digest. */
function repositoryOf(reference: string): string {
  const withoutDigest = reference.split("@")[0] ?? reference;
  return withoutDigest.replace(/:[^:/]*$/, "");
}
