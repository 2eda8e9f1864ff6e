import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import type { EngineClient } from "./client.ts";
import type { EngineEvent } from "./event.ts";
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
      // A proxy may deny it, and the container may just have gone: what the compatible API answered still holds.
      if (isServiceError(error) && !signal.aborted) return NO_PODMAN_TRAITS;
      throw error;
    }
  };
}

function isAtLeast(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [own = 0, ownMinor = 0] = version.split(".").map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

/** How a container of Podman ended, as far as the events around its end show. "removed": at once, so asked for unless it removes itself. */
type EndCause = "asked" | "removed" | "unasked";

/** An end whose cause may show only in later events. */
export interface PodmanEnd {
  cause: Promise<EndCause>;
}

/**
 * Finds out why containers of Podman ended. Podman before 4.7 sends no event before a stop and does not keep who asked for it. But a stop
 * cleans up twice (the command, and the process that waits for the container) and an end by itself once; a restart is announced before the end.
 */
interface PodmanEnds {
  /** Takes every event in the order of the stream; returns the end that a `die` begins. */
  note(event: EngineEvent): PodmanEnd | undefined;
  /** Answers every open question with what is known. */
  close(): void;
}

/** The second cleanup came within 0.1 s; a busy machine takes longer. */
const EXPLAINED_WITHIN_MS = 1_000;
const MAX_REMEMBERED = 10_000;

interface OpenEnd {
  cleanups: number;
  settle(cause: EndCause): void;
}

export function createPodmanEnds(clock: Clock): PodmanEnds {
  /** Containers for which a stop or a restart was announced since their start. */
  const announced = new Set<string>();
  const open = new Map<string, OpenEnd>();

  function begin(containerId: string): PodmanEnd {
    const { promise, resolve } = Promise.withResolvers<EndCause>();
    const timer = clock.after(EXPLAINED_WITHIN_MS, () => end.settle("unasked"));
    const end: OpenEnd = {
      cleanups: 0,
      settle(cause) {
        timer.cancel();
        if (open.get(containerId) === end) open.delete(containerId);
        resolve(cause);
      },
    };
    open.get(containerId)?.settle("unasked");
    open.set(containerId, end);
    if (announced.delete(containerId)) end.settle("asked");
    return { cause: promise };
  }

  function announce(containerId: string): void {
    announced.add(containerId);
    const [oldest] = announced;
    if (announced.size > MAX_REMEMBERED && oldest !== undefined) announced.delete(oldest);
  }

  return {
    note({ action, containerId, podman }) {
      if (!podman) return undefined;
      const end = open.get(containerId);
      switch (action) {
        case "die":
          return begin(containerId);
        case "stop":
          if (end === undefined) announce(containerId);
          else end.settle("asked");
          break;
        case "restart":
          // After the end it is the restart policy's.
          if (end === undefined) announce(containerId);
          else end.settle("unasked");
          break;
        case "start":
          announced.delete(containerId);
          end?.settle("unasked");
          break;
        case "cleanup":
          if (end !== undefined && ++end.cleanups === 2) end.settle("asked");
          break;
        case "destroy":
          announced.delete(containerId);
          end?.settle("removed");
          break;
        default:
      }
      return undefined;
    },
    close() {
      for (const end of [...open.values()]) end.settle("unasked");
    },
  };
}
