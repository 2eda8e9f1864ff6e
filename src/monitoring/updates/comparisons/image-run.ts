import type { SavedContainer } from "../../containers/index.ts";

/** What one image did under one name of one host, by however many containers one after another. */
export interface ImageRun {
  /** `local`, or an agent's UUID. */
  host: string;
  name: string;
  /** Which runs it now. */
  containerId: number;
  /** Which ran it, the newest last. */
  containerIds: readonly number[];
  image: string;
  imageDigest: string | null;
  imageId: string | null;
  /** When it first ran here. */
  since: Date;
  /** When its container was last started. */
  startedAt: Date;
  /** Since when nothing has this name; null while something has. */
  goneAt: Date | null;
  /** With what was before it; null for the first image of this name. */
  comparisonId: number | null;
}

/** What a sighting of a container makes of what ran under its name. */
export type RunStep =
  /** Nothing was known of this name. */
  | { kind: "first"; next: ImageRun }
  /** The same image continues. */
  | { kind: "continued"; next: ImageRun }
  /** Another image runs from now on. */
  | { kind: "changed"; next: ImageRun; previous: ImageRun };

/** Containers that are remembered of one run: their figures are put together. */
const MOST_CONTAINERS = 5;

/** While Compose replaces a container, one of the two has the first twelve characters of the old one's id before its name. */
const COMPOSE_INTERIM = /^[0-9a-f]{12}_/;
/** Swarm names a container after its task, which is another one each time. */
const SWARM_TASK = /\.[a-z0-9]{25}$/;

/** The name under which a container's image is followed; undefined for one that is not followed: ignored, never started, or about to be renamed. */
export function runNameOf({ name, settings, state }: Pick<SavedContainer, "name" | "settings" | "state">): string | undefined {
  if (settings.ignored || state === "created" || COMPOSE_INTERIM.test(name)) return undefined;
  return name.replace(SWARM_TASK, "");
}

/**
 * What becomes of a run when a container of its name is seen; undefined when nothing does. `holder` is the container that ran it last, if that
 * still has the name. Another container takes over when it was started later, or runs while nobody else has the name.
 */
export function stepOf(run: ImageRun | undefined, container: SavedContainer, holder: SavedContainer | undefined): RunStep | undefined {
  const name = runNameOf(container);
  if (name === undefined) return undefined;
  const startedAt = container.startedAt ?? container.createdAt ?? container.firstSeenAt;
  const fresh: ImageRun = {
    host: container.agentId ?? "local",
    name,
    containerId: container.id,
    containerIds: [container.id],
    image: container.image,
    imageDigest: container.imageDigest,
    imageId: container.imageId,
    since: container.createdAt ?? container.firstSeenAt,
    startedAt,
    goneAt: null,
    comparisonId: null,
  };
  if (run === undefined) return { kind: "first", next: fresh };
  const isSame = container.id === run.containerId && !isRecreated(container, run);
  const other = holder?.id === container.id ? undefined : holder;
  if (!isSame && !takesOver(container, startedAt, other?.startedAt ?? run.startedAt, other !== undefined)) return undefined;
  // An engine's container has one image for its whole life, however much is learnt of it; a workload's may change.
  if (sameImage(run, container) || (isSame && container.runtime === "docker")) {
    const next = continued(run, container, startedAt);
    return isSameRun(run, next) ? undefined : { kind: "continued", next };
  }
  return { kind: "changed", previous: run, next: { ...fresh, since: changedAtOf(container, isSame) } };
}

/** Whether it is another container than the one that ran it, in the same place. */
function isRecreated({ recreatedAt }: SavedContainer, run: ImageRun): boolean {
  return recreatedAt !== null && recreatedAt > run.startedAt;
}

/** Nothing has this name any more. */
export function goneRun(run: ImageRun, at: Date): ImageRun {
  return { ...run, goneAt: at };
}

/** By what the runtime knows it by, else by its content, else by its name. */
export function sameImage(
  a: Pick<ImageRun, "image" | "imageDigest" | "imageId">,
  b: Pick<ImageRun, "image" | "imageDigest" | "imageId">,
): boolean {
  if (a.imageId !== null && b.imageId !== null) return a.imageId === b.imageId;
  if (a.imageDigest !== null && b.imageDigest !== null) return a.imageDigest === b.imageDigest;
  return a.image === b.image;
}

function takesOver(container: SavedContainer, startedAt: Date, knownStart: Date, isHeld: boolean): boolean {
  if (startedAt > knownStart) return true;
  return !isHeld && (container.state === "running" || container.state === "restarting");
}

function continued(run: ImageRun, container: SavedContainer, startedAt: Date): ImageRun {
  const isKnown = run.containerIds.includes(container.id);
  return {
    ...run,
    containerId: container.id,
    containerIds: isKnown ? run.containerIds : [...run.containerIds, container.id].slice(-MOST_CONTAINERS),
    image: container.image,
    imageDigest: container.imageDigest ?? run.imageDigest,
    imageId: container.imageId ?? run.imageId,
    startedAt,
    goneAt: null,
  };
}

/** When the container was started is not worth a row at each restart. */
function isSameRun(a: ImageRun, b: ImageRun): boolean {
  const compared = ({ startedAt: _, ...rest }: ImageRun): string => JSON.stringify(rest);
  return compared(a) === compared(b);
}

/** When a container that was seen with another image began to run it: its start, if that is not one of many. */
function changedAtOf({ startedAt, finishedAt, createdAt, lastObservedAt }: SavedContainer, isSame: boolean): Date {
  if (isSame) return lastObservedAt;
  const first = finishedAt === null ? startedAt : createdAt;
  return first ?? createdAt ?? lastObservedAt;
}
