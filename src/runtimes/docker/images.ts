import { isServiceError } from "../../platform/errors.ts";
import type { EngineClient } from "./client.ts";
import type { ContainerAnswer } from "./schemas.ts";
import { imageAnswer } from "./schemas.ts";

const MAX_REMEMBERED = 2000;

/** Finds the digest under which an image is known in its registry; asks once an image. */
export interface ImageDigests {
  of(container: ContainerAnswer, signal: AbortSignal): Promise<string | undefined>;
}

export function createImageDigests(client: EngineClient): ImageDigests {
  const remembered = new Map<string, string[]>();

  async function repositoryDigests(imageId: string, signal: AbortSignal): Promise<string[]> {
    const known = remembered.get(imageId);
    if (known !== undefined) return known;
    try {
      const image = await client.json(imageAnswer, { route: "image", id: imageId }, signal);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(imageId, image.RepoDigests);
      return image.RepoDigests;
    } catch (error) {
      // Removed, or denied by a proxy: the image's id does instead.
      if (isServiceError(error) && !signal.aborted) return [];
      throw error;
    }
  }

  return {
    async of({ Image, ImageDigest, Config }, signal) {
      if (ImageDigest !== "" || !/^sha256:[0-9a-f]{64}$/.test(Image)) return undefined;
      const digests = await repositoryDigests(Image, signal);
      const repository = repositoryOf(Config.Image);
      const chosen = digests.find((digest) => digest.startsWith(`${repository}@`)) ?? digests[0];
      return chosen?.slice(chosen.indexOf("@") + 1);
    },
  };
}

/** `host:5000/team/app:1.2@sha256:...` without tag and digest. */
function repositoryOf(reference: string): string {
  const withoutDigest = reference.split("@")[0] ?? reference;
  return withoutDigest.replace(/:[^:/]*$/, "");
}
