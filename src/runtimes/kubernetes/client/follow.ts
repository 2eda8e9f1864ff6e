import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";
import { isServiceError, messageOf } from "../../../platform/errors.ts";
import type { Limiter } from "../../../platform/queues.ts";
import type { Log } from "../../../platform/log.ts";
import { isObject } from "../../../platform/object.ts";
import { createBackoff } from "../../../platform/retry.ts";
import { parseJson } from "../../json.ts";
import { type ApiRefusal, type KubernetesClient, type ApiResource, resourceName, resourcePath } from "./client.ts";
import { MOST_ITEMS, readList } from "./list.ts";
import { type WatchEvent, followWatch } from "./watch.ts";

/** Rules and kinds are added by people. */
const REFUSED_PAUSE_MS = 10_000;
/** A watch that lasted this long was a good one. */
const GOOD_WATCH_MS = 10_000;
/** So long others wait for a list: one that is held up is no reason to see nothing else. */
const LIST_TURN_MS = 5_000;

/** What is made of the objects of one list and its watch. */
export interface FollowedItems {
  begin(): void;
  add(object: unknown): void;
  /** The list is over. What was not in it is gone, if it was whole. */
  commit(list: { isWhole: boolean }): void;
  store(object: unknown): void;
  remove(object: unknown): void;
}

export interface FollowOptions {
  client: Pick<KubernetesClient, "address" | "stream">;
  resource: ApiResource;
  /** null: of all namespaces, or of none. */
  namespace: string | null;
  fieldSelector?: string;
  items: FollowedItems;
  onState: (state: ReflectorState) => void;
  /** Lists that are read at the same time. */
  limitLists: Limiter;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** Lists a resource and watches it from there, again and again until the signal ends it. Never throws. */
export async function follow(options: FollowOptions): Promise<void> {
  const { client, resource, namespace, fieldSelector, items, onState, limitLists, clock, log, signal } = options;
  const path = resourcePath(resource, { namespace });
  const request = { path, fieldSelector, signal };
  const backoff = createBackoff({ firstMs: 250, ceilingMs: 30_000 });
  /** Where the next watch begins; undefined: it is listed first. */
  let version: string | undefined;
  let state = STARTING;
  /** After a list that took longer than the API server remembers, the next one is not read in pages. */
  let isPaged = true;

  function setState(next: Partial<ReflectorState>): void {
    state = { ...state, ...next };
    onState(state);
  }

  /** Answers how long to wait before the next attempt. */
  async function list(): Promise<number> {
    items.begin();
    const outcome = await inTurn(() => readList(client, { ...request, isPaged, onItem: addJson }));
    if ("refused" in outcome) {
      if (outcome.refused.status !== 410) return refuse(outcome.refused);
      isPaged = false;
      return backoff.nextMs();
    }
    isPaged = true;
    version = outcome.resourceVersion;
    items.commit({ isWhole: !outcome.isCut });
    const reason = outcome.isCut ? `The cluster has more than ${MOST_ITEMS} ${resourceName(resource)}. Only the first are shown.` : null;
    setState({ status: "watching", reason, isListed: !outcome.isCut });
    return 0;
  }

  function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const over = new AbortController();
        read()
          .finally(() => over.abort())
          .then(resolve, reject);
        await pause(clock, LIST_TURN_MS, over.signal);
      };
      limitLists(turn, signal).catch(reject);
    });
  }

  function addJson(json: string | null): void {
    items.add(json === null ? null : parseJson(json));
  }

  async function watch(resourceVersion: string): Promise<number> {
    const beganMs = clock.monotonicMs();
    let isOpen = false;
    try {
      const end = await followWatch(client, {
        ...request,
        resourceVersion,
        onOpen() {
          isOpen = true;
          if (state.status !== "watching") setState({ status: "watching", reason: null });
        },
        onEvent: take,
      });
      if (end === "expired") version = undefined;
      else if (end !== "over") return refuse(end.refused);
    } catch (error) {
      // Connections end; only one that cannot be made again is a failure.
      if (!isOpen || signal.aborted || !isServiceError(error)) throw error;
      log.debug({ resource: resourceName(resource), reason: error.message }, "a watch was broken off");
    }
    if (clock.monotonicMs() - beganMs < GOOD_WATCH_MS) return backoff.nextMs();
    backoff.reset();
    return 0;
  }

  /** False when the cluster went back in time, as after it was restored from a backup. */
  function take({ kind, object }: WatchEvent): boolean {
    const next = versionOf(object);
    if (kind === "bookmark" && next !== undefined && version !== undefined && isBefore(next, version)) return false;
    version = next ?? version;
    if (kind === "stored") items.store(object);
    else if (kind === "removed") items.remove(object);
    return true;
  }

  function refuse(refused: ApiRefusal): number {
    const next = stateOfRefusal(refused, { resource, namespace, address: client.address });
    setState(next);
    if (next.status === "unreachable") return backoff.nextMs();
    if (next.status === "absent") version = undefined;
    return REFUSED_PAUSE_MS * (0.75 + Math.random() * 0.5);
  }

  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = version === undefined ? await list() : await watch(version);
    } catch (error) {
      if (signal.aborted) return;
      if (!isServiceError(error)) log.error({ err: error, resource: resourceName(resource) }, "a resource could not be followed");
      setState({ status: "unreachable", reason: messageOf(error) });
      waitMs = backoff.nextMs();
    }
    if (waitMs > 0) await pause(clock, waitMs, signal);
  }
}

function versionOf(object: unknown): string | undefined {
  const metadata = isObject(object) ? object["metadata"] : undefined;
  const version = isObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" && version !== "" ? version : undefined;
}

/** Versions are numbers in all that is known of them; others cannot be compared. */
function isBefore(one: string, other: string): boolean {
  return /^\d{1,20}$/.test(one) && /^\d{1,20}$/.test(other) && BigInt(one) < BigInt(other);
}

export interface ReflectorState {
  /** `refused` by RBAC or since credentials are not accepted; `absent`: the cluster has no such kind; `unreachable`: the API server does not answer. */
  status: "starting" | "watching" | "refused" | "absent" | "unreachable";
  /** What is wrong and what helps, as a sentence; null when nothing is. */
  reason: string | null;
  /** Whether all that there was at some time was listed. */
  isListed: boolean;
}

export const STARTING: ReflectorState = { status: "starting", reason: null, isListed: false };

/** The worst first. */
const ORDER = ["unreachable", "refused", "absent", "starting", "watching"] as const satisfies readonly ReflectorState["status"][];

/** The state of a resource whose namespaces are followed one by one: the worst of them, and complete when all are. */
export function stateOfAll(states: readonly ReflectorState[]): ReflectorState {
  const worst = ORDER.map((status) => states.find((each) => each.status === status)).find((each) => each !== undefined) ?? STARTING;
  return { ...worst, isListed: states.length > 0 && states.every(({ isListed }) => isListed) };
}

/** What a refusal of a list or a watch means for the resource, without whether it was listed. */
function stateOfRefusal(
  { status, message }: ApiRefusal,
  { resource, namespace, address }: { resource: ApiResource; namespace: string | null; address: string },
): Pick<ReflectorState, "status" | "reason"> {
  const what = resourceName(resource);
  if (status === 401)
    return {
      status: "refused",
      reason: `The Kubernetes API at ${address} does not accept the credentials. They may have expired or been revoked: renew them.`,
    };
  if (status === 403) {
    const where =
      namespace === null ? "with a ClusterRole and a ClusterRoleBinding" : `with a Role and a RoleBinding in the namespace ${namespace}`;
    return { status: "refused", reason: `This account may not list and watch ${what}. Allow list and watch of ${what} ${where}.` };
  }
  if (status === 404)
    return { status: "absent", reason: `The cluster has no ${what} of ${resource.group || "the core group"}/${resource.version}.` };
  if (status === 429 || status >= 500)
    return {
      status: "unreachable",
      reason: `The Kubernetes API at ${address} cannot list ${what}: "${message}" (status ${status}). It is tried again.`,
    };
  return { status: "refused", reason: `The Kubernetes API at ${address} refuses to list ${what}: "${message}" (status ${status}).` };
}
