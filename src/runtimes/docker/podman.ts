import { isServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import type { EngineClient } from "./client.ts";
import { podmanContainerAnswer, podmanPodAnswer } from "./schemas.ts";

/** What only Podman's own API says of a container. */
export interface PodmanTraits {
  /** The pod it belongs to; null without one. */
  pod: string | null;
  /** It only holds the namespaces of its pod. */
  infra: boolean;
  /** Its last end was asked for; undefined before Podman 4.7, which does not say. */
  stoppedByUser: boolean | undefined;
}

export const NO_PODMAN_TRAITS: PodmanTraits = { pod: null, infra: false, stoppedByUser: undefined };

const MAX_REMEMBERED_PODS = 1_000;
/** From this version on the answer says who stopped a container; it leaves `false` out. */
const SAYS_WHO_STOPPED = [4, 7];

/** Reads what the Docker-compatible API leaves out; of another engine, nothing. */
export function createPodmanReader(client: EngineClient): (id: string, signal: AbortSignal) => Promise<PodmanTraits> {
  /** Names by id; a pod cannot be renamed. */
  const podNames = new Map<string, string>();

  async function nameOfPod(id: string, signal: AbortSignal): Promise<string | null> {
    const known = podNames.get(id);
    if (known !== undefined) return known;
    const { Name } = await client.json(podmanPodAnswer, { route: "podmanPod", id }, signal);
    const name = cleanName(Name);
    if (podNames.size >= MAX_REMEMBERED_PODS) podNames.clear();
    if (name !== "") podNames.set(id, name);
    return name || null;
  }

  return async (id, signal) => {
    const { podmanVersion } = client.product;
    if (podmanVersion === null) return NO_PODMAN_TRAITS;
    try {
      const { Pod, IsInfra, State } = await client.json(podmanContainerAnswer, { route: "podmanContainer", id }, signal);
      return {
        pod: Pod === "" ? null : await nameOfPod(Pod, signal),
        infra: IsInfra,
        stoppedByUser: State?.StoppedByUser ?? (isAtLeast(podmanVersion, SAYS_WHO_STOPPED) ? false : undefined),
      };
    } catch (error) {
      // A proxy may deny it, and the container may just have gone: what the compatible API said still holds.
      if (isServiceError(error) && !signal.aborted) return NO_PODMAN_TRAITS;
      throw error;
    }
  };
}

function isAtLeast(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [own = 0, ownMinor = 0] = version.split(".").map(Number);
  return own > major || (own === major && ownMinor >= minor);
}
