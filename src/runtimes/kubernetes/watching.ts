import { z } from "zod";
import { MINUTE_MS } from "../../contract/time.ts";
import type { KubernetesObjectKind, KubernetesStanding } from "../../observations/kubernetes.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type ApiRefusal, discoverResources, type KubernetesClient, type ReflectorChange } from "./client/index.ts";
import { RESOURCES, STORED_KINDS } from "./resources.ts";
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
import { WatchedKinds } from "./watched-kinds.ts";

/** Changes come in bursts: those of a rollout are one. */
const GATHER_MS = 100;
/** Kinds may be installed while the cluster is watched, and an upgrade of it may end the version that is read. */
const DISCOVERED_EVERY_MS = 5 * MINUTE_MS;
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

export function createWatchedCluster({ client, clock, log, namespaces, excludeNamespaces }: ClusterOptions): WatchedCluster {
  const listeners = new Set<(changes: ClusterChanges) => void>();
  const kinds = new WatchedKinds({ client, clock, log, namespaces, excludeNamespaces, onChange: touch, onState: touchAll });
  const view = createClusterView(storedCluster());
  let opened: Promise<ClusterIdentity> | undefined;
  /** Why it is not open. */
  let failure: ReturnType<WatchedCluster["standing"]> | undefined = NOT_OPEN;
  let isDue = false;
  /** Those who wait for the first listing of everything. */
  let listing: PromiseWithResolvers<void> | undefined;
  const stopping = new AbortController();
  let discovery: { cancel(): void } | undefined;

  function storedCluster(): StoredCluster {
    const of = <Kind extends StoredKind>(kind: Kind): StoredObjects<Stored[Kind]> => ({
      // What a reflector of a kind keeps is what the table of kinds says.
      items: () => (kinds.reflector(kind)?.items() ?? NONE) as ReadonlyMap<string, Stored[Kind]>,
      isListed: () => kinds.reflector(kind)?.state().isListed ?? false,
      isAbsent: () => kinds.isAbsent(kind),
    });
    return Object.fromEntries(STORED_KINDS.map((kind) => [kind, of(kind)])) as unknown as StoredCluster;
  }

  function touch(kind: StoredKind, change: ReflectorChange): void {
    if (change.kind === "listed") view.touchAll(kind);
    else view.touch(kind, change.id);
    schedule();
  }

  function touchAll(kind: StoredKind): void {
    view.touchAll(kind);
    schedule();
    if (kinds.isSettled()) listing?.resolve();
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
    stopping.signal.throwIfAborted();
    failure = undefined;
    kinds.watchAll(found);
    discovery = clock.after(DISCOVERED_EVERY_MS, () => void discoverAgain());
    return identity;
  }

  async function discoverAgain(): Promise<void> {
    // Where the API server does not answer, what is watched says so.
    const found = await discoverResources(client, Object.values(RESOURCES), stopping.signal).catch(() => undefined);
    if (stopping.signal.aborted) return;
    if (found !== undefined) kinds.watchAll(found);
    discovery = clock.after(DISCOVERED_EVERY_MS, () => void discoverAgain());
  }

  function refusalOf({ status, message }: ApiRefusal): string {
    const remedy = status === 401 ? "Its credentials may have expired or been revoked: renew them." : "Allow its account to read.";
    return `The Kubernetes API at ${client.address} refuses: "${message}" (status ${status}). ${remedy}`;
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
      if (!kinds.isSettled()) await untilListed(signal);
      await view.settle();
      publish(view.update());
    },
    standing: () => failure ?? kinds.standing(),
    unseen: () => kinds.unseen(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      discovery?.cancel();
      await kinds.stop();
    },
  };
}
