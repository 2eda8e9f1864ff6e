import { z } from "zod";
import { MINUTE_MS } from "../../contract/time.ts";
import type { KubernetesObjectKind, KubernetesStanding } from "../../observations/kubernetes.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import { createLimiter } from "../../platform/queues.ts";
import type { Log } from "../../platform/log.ts";
import {
  type ApiRefusal,
  type ApiResource,
  createReflector,
  discoverResources,
  type KubernetesClient,
  type Reflector,
  type ReflectorState,
  resourceName,
} from "./client/index.ts";
import { type Identified, RESOURCES, STORED_KINDS, type WatchedResource } from "./resources.ts";
import {
  type ClusterChanges,
  type ClusterUsage,
  type ClusterView,
  createClusterView,
  type Stored,
  type StoredCluster,
  type StoredKind,
  type StoredObjects,
} from "./view/index.ts";

/** More at once are read no sooner, and hold up all else. */
const LISTS_AT_ONCE = 3;
/** Changes come in bursts: those of a rollout are one. */
const GATHER_MS = 100;
/** Kinds may be installed while the cluster is watched, and an upgrade of it may end the version that is read. */
const DISCOVERED_EVERY_MS = 5 * MINUTE_MS;
/** An API server that is busy, or is exchanged, does not answer for a while. */
const UNSEEN_AFTER_MS = MINUTE_MS;
const NONE: ReadonlyMap<string, unknown> = new Map();
const NOT_OPEN = { standing: "unreachable", reason: "The cluster was not read yet." } as const;

const versionAnswer = z.object({ gitVersion: z.string() });
const namespaceAnswer = z.object({ metadata: z.object({ uid: z.string() }) });

export interface ClusterOptions {
  client: KubernetesClient;
  clock: Clock;
  log: Log;
  /** Only these; empty: all. */
  namespaces: readonly string[];
  excludeNamespaces: readonly string[];
}

/** Which cluster it is; `clusterId` is null where it may not be read. */
export interface ClusterIdentity {
  version: string;
  clusterId: string | null;
}

/** What is known of a cluster while it is watched. */
export interface WatchedCluster {
  /** Asks which cluster it is, without watching it. Throws `runtime_unavailable`. */
  identify(signal: AbortSignal): Promise<ClusterIdentity>;
  /** Asks what the cluster has, and begins to watch it; once. Throws `runtime_unavailable`. */
  open(signal: AbortSignal): Promise<ClusterIdentity>;
  /** Resolves once every kind was listed, or cannot be. */
  ready(signal: AbortSignal): Promise<void>;
  readonly view: ClusterView;
  /** What pods, nodes and volumes use by a new reading; published like any other change. */
  setUsage(usage: ClusterUsage): void;
  standing(): { standing: Exclude<KubernetesStanding, "standby">; reason: string | null };
  /** Kinds that are refused, or that alone have not answered for a minute: what is known of them is as it was last seen. */
  unseen(): { kind: KubernetesObjectKind; reason: string }[];
  /** Called with what changed, and when more or less can be seen. */
  subscribe(listener: (changes: ClusterChanges) => void): () => void;
  stop(): Promise<void>;
}

type AnyReflector = Reflector<unknown>;

/** A kind that is watched, in the version that the cluster had. */
interface Watched {
  version: string;
  reflector: AnyReflector;
}

export function createWatchedCluster({ client, clock, log, namespaces, excludeNamespaces }: ClusterOptions): WatchedCluster {
  const watched = new Map<StoredKind, Watched>();
  const listeners = new Set<(changes: ClusterChanges) => void>();
  const limitLists = createLimiter(LISTS_AT_ONCE);
  const view = createClusterView(storedCluster());
  let opened: Promise<ClusterIdentity> | undefined;
  /** Why it is not open. */
  let failure: ReturnType<WatchedCluster["standing"]> | undefined = NOT_OPEN;
  let isDue = false;
  /** Those who wait for the first listing of everything. */
  let listing: PromiseWithResolvers<void> | undefined;
  const stopping = new AbortController();
  let discovery: { cancel(): void } | undefined;

  /** Since when kinds do not answer. */
  const awaySinceMs = new Map<StoredKind, number>();

  /** Whether a kind is not read, and not just for a moment. */
  function isUnread(kind: StoredKind, { status }: ReflectorState): boolean {
    const sinceMs = awaySinceMs.get(kind);
    return status === "refused" || (sinceMs !== undefined && clock.monotonicMs() - sinceMs >= UNSEEN_AFTER_MS);
  }

  const reflectorNamed = (kind: StoredKind): AnyReflector | undefined => watched.get(kind)?.reflector;
  const reflectors = (): AnyReflector[] => [...watched.values()].map(({ reflector }) => reflector);

  function storedCluster(): StoredCluster {
    const of = <Kind extends StoredKind>(kind: Kind): StoredObjects<Stored[Kind]> => ({
      // What a reflector of a kind keeps is what the table of kinds says.
      items: () => (reflectorNamed(kind)?.items() ?? NONE) as ReadonlyMap<string, Stored[Kind]>,
      isListed: () => reflectorNamed(kind)?.state().isListed ?? false,
      isAbsent: () => isAbsent(reflectorNamed(kind)),
    });
    return Object.fromEntries(STORED_KINDS.map((kind) => [kind, of(kind)])) as unknown as StoredCluster;
  }

  function schedule(): void {
    if (isDue) return;
    isDue = true;
    clock.after(GATHER_MS, () => {
      isDue = false;
      const settling = view.settle();
      if (settling === undefined) publish(view.update());
      else void settling.then(() => publish(view.update()));
    });
  }

  function publish(changes: ClusterChanges): void {
    for (const listener of listeners) listener(changes);
  }

  async function identify(signal: AbortSignal): Promise<ClusterIdentity> {
    const version = await client.read(versionAnswer, "/version", { signal });
    if ("refused" in version) {
      const reason = refusalOf(version.refused);
      failure = { standing: "denied", reason };
      throw new ServiceError("runtime_unavailable", reason);
    }
    const system = await client.read(namespaceAnswer, "/api/v1/namespaces/kube-system", { signal });
    return { version: version.data.gitVersion, clusterId: "data" in system ? system.data.metadata.uid : null };
  }

  async function begin(signal: AbortSignal): Promise<ClusterIdentity> {
    failure = NOT_OPEN;
    const identity = await identify(signal);
    const found = await discoverResources(client, Object.values(RESOURCES), signal);
    failure = undefined;
    watchAll(found);
    discovery = clock.after(DISCOVERED_EVERY_MS, () => void discoverAgain());
    return identity;
  }

  /** Begins with what is not watched yet, or in a version that the cluster has no more. */
  function watchAll(found: ReadonlyMap<string, ApiResource>): void {
    for (const kind of STORED_KINDS) {
      const wanted: WatchedResource<Identified, unknown> = RESOURCES[kind];
      const resource = found.get(wanted.kind);
      const present = watched.get(kind);
      if (resource === undefined || present?.version === resource.version) continue;
      if (present !== undefined) {
        if (present.reflector.state().status !== "absent") continue;
        void present.reflector.stop();
      }
      const reflector = reflectorOf(kind, wanted, resource);
      watched.set(kind, { version: resource.version, reflector });
      reflector.start();
    }
  }

  async function discoverAgain(): Promise<void> {
    // Where the API server does not answer, what is watched says so.
    const found = await discoverResources(client, Object.values(RESOURCES), stopping.signal).catch(() => undefined);
    if (stopping.signal.aborted) return;
    if (found !== undefined) watchAll(found);
    discovery = clock.after(DISCOVERED_EVERY_MS, () => void discoverAgain());
  }

  function refusalOf({ status, message }: ApiRefusal): string {
    const remedy = status === 401 ? "Its credentials may have expired or been revoked: renew them." : "Allow its account to read.";
    return `The Kubernetes API at ${client.address} refuses: "${message}" (status ${status}). ${remedy}`;
  }

  /** Those that are not watched, where the API server can leave them out itself. */
  function exclusions({ namespaced, kind }: ApiResource): string[] {
    const field = namespaced ? "metadata.namespace" : kind === "Namespace" ? "metadata.name" : undefined;
    return field === undefined || namespaces.length > 0 ? [] : excludeNamespaces.map((name) => `${field}!=${name}`);
  }

  function reflectorOf(
    kind: StoredKind,
    { schema, keep, fieldSelector }: WatchedResource<Identified, unknown>,
    resource: ApiResource,
  ): AnyReflector {
    const selector = [...(fieldSelector === undefined ? [] : [fieldSelector]), ...exclusions(resource)].join(",");
    return createReflector({
      client,
      resource,
      schema,
      keep,
      idOf: ({ metadata }) => metadata.uid,
      namespaces: namespaces.length === 0 ? null : namespaces,
      ...(selector !== "" && { fieldSelector: selector }),
      onChange(change) {
        if (change.kind === "listed") view.touchAll(kind);
        else view.touch(kind, change.id);
        schedule();
      },
      onState({ status }) {
        if (status !== "unreachable") awaySinceMs.delete(kind);
        else if (!awaySinceMs.has(kind)) awaySinceMs.set(kind, clock.monotonicMs());
        view.touchAll(kind);
        schedule();
        if (isSettled()) listing?.resolve();
      },
      limitLists,
      clock,
      log,
    });
  }

  /** Nothing of it has to be waited for. */
  function isSettled(): boolean {
    return reflectors().every((reflector) => {
      const { isListed, status } = reflector.state();
      return isListed || status === "refused" || status === "absent";
    });
  }

  async function untilListed(signal: AbortSignal): Promise<void> {
    listing ??= Promise.withResolvers();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([listing.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  function standing(): ReturnType<WatchedCluster["standing"]> {
    if (failure !== undefined) return failure;
    const states = reflectors()
      .map((reflector) => reflector.state())
      .filter(({ status }) => status !== "absent");
    const away = states.filter(({ status }) => status === "unreachable");
    const asked = states.filter(({ status }) => status !== "refused");
    if (states.length > 0 && asked.length === 0) return { standing: "denied", reason: states[0]?.reason ?? null };
    if (asked.length > 0 && away.length === asked.length) return { standing: "unreachable", reason: away[0]?.reason ?? null };
    return { standing: "watching", reason: null };
  }

  return {
    view,
    setUsage(usage) {
      view.setUsage(usage);
      schedule();
    },
    identify,
    open(signal) {
      opened ??= begin(signal).catch((error: unknown) => {
        opened = undefined;
        if (failure?.standing !== "denied") failure = { standing: "unreachable", reason: messageOf(error) };
        throw error;
      });
      return opened;
    },
    async ready(signal) {
      if (!isSettled()) await untilListed(signal);
      await view.settle();
      publish(view.update());
    },
    standing,
    unseen() {
      const unseen = new Map<KubernetesObjectKind, string>();
      for (const [kind, { reflector }] of watched) {
        const state = reflector.state();
        const { shows } = RESOURCES[kind];
        if (!isUnread(kind, state) || shows === null || unseen.has(shows)) continue;
        unseen.set(shows, state.reason ?? `${resourceName({ group: RESOURCES[kind].group, plural: kind.toLowerCase() })} cannot be read.`);
      }
      return [...unseen].map(([kind, reason]) => ({ kind, reason }));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      discovery?.cancel();
      await Promise.all(reflectors().map((reflector) => reflector.stop()));
    },
  };
}

function isAbsent(reflector: AnyReflector | undefined): boolean {
  const status = reflector?.state().status;
  return status === undefined || status === "refused" || status === "absent";
}
