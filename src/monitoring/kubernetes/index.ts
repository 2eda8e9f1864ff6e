import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, nextTurnWhenDue } from "../../platform/clock.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers, PresentContainers } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import type { Observer } from "../intake.ts";
import type { MoveContainer } from "../move-container.ts";
import { type ActiveKubernetesAlert, eventsRecorded } from "./changes.ts";
import { isUnnamed, seesAll, STALE_AFTER_MS, type Cluster } from "./cluster.ts";
import { createClusterEvents } from "./cluster-events.ts";
import { createClusterEventStore, type RecordableEvent } from "./event-store.ts";
import { type ExposedPort, exposureOf, type WorkloadExposure } from "./exposure.ts";
import { ALERT_RULES } from "./problem.ts";
import { createRegister, type Seen } from "./register.ts";
import { kubernetesRoutes } from "./routes.ts";
import { createKubernetesService, type KubernetesService } from "./service.ts";
import type { KubernetesEvent, KubernetesService as ServiceOfWorkload, KubernetesSighting } from "../../observations/kubernetes.ts";
import type { KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import { maskSecrets } from "../../platform/secrets.ts";
import { type Inventory, inventoryOf } from "./inventory.ts";

const MADE_FOR: Readonly<Record<string, string>> = { ReplicaSet: "Deployment", Job: "CronJob" };

export type { ActiveKubernetesAlert } from "./changes.ts";
export type { KubernetesService as ServiceOfWorkload } from "../../observations/kubernetes.ts";
export type { WorkloadExposure } from "./exposure.ts";

export interface KubernetesDependencies {
  database: Database;
  containers: Pick<Containers, "present">;
  moveContainer: MoveContainer;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** The alerts of clusters that are active. */
  activeAlerts: () => readonly ActiveKubernetesAlert[];
}

export interface Kubernetes extends Observer, HostData {
  service: KubernetesService;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** The events of all that is wrong now. */
  announce(): Event[];
  /** How the workload of a container row can be reached; undefined of one that is not seen. */
  exposureOf(container: { agentId: string | null; externalId: string }): WorkloadExposure | undefined;
  /** The ports that services of a container row's workload open beyond the cluster; undefined while the workload or services are not seen. */
  servicePortsOf(container: { agentId: string | null; externalId: string }): ExposedPort[] | undefined;
  /** The services that select pods of a container row's workload; none of one that is not seen. */
  servicesOf(container: { agentId: string | null; externalId: string }): readonly ServiceOfWorkload[];
  /** The workload of a container row, and the containers of its pod template that run the row's image; null where none is seen that does. */
  workloadOf(container: { agentId: string | null; externalId: string; image: string }): WorkloadOfRow | null;
  /** Whether a cluster is shown now with all that an alert is judged by, so that what is not wrong is seen to be well. */
  isObserved(clusterId: string, alert: string): boolean;
  start(): void;
}

interface WorkloadOfRow {
  kind: string;
  name: string;
  namespace: string;
  containers: string[];
}

/** While there are clusters: some problems begin, and every sight of a cluster ends, by time alone. */
const JUDGE_EVERY_MS = 5_000;

/**
 * Kubernetes clusters: workloads, pods and nodes as hosts show them. All of it is in memory, since a host says it again on connect; alerts keep what is
 * wrong, and events of a cluster are kept as rows.
 */
export function createKubernetes({
  database,
  containers,
  moveContainer,
  bus,
  clock,
  scheduler,
  activeAlerts,
}: KubernetesDependencies): Kubernetes {
  const register = createRegister({ active: activeAlerts });
  const events = createClusterEvents({ store: createClusterEventStore(database), clock, scheduler });
  const service = createKubernetesService({ register, events, present: containers.present, clock });
  const startedMs = clock.monotonicMs();
  const followHosts = followWatchingHosts({
    clusters: register.clusters,
    clusterOf: register.clusterOf,
    isWatching: (agentId) => register.isWatching(agentId, clock.monotonicMs()) ?? clock.monotonicMs() - startedMs < STALE_AFTER_MS,
    present: containers.present,
    move: moveContainer,
  });
  /** Clusters all of whose events were recorded. */
  const recorded = new Set<string>();
  let rounds: DueTimer | undefined;
  let judging: Promise<void> = Promise.resolve();
  const clusterNamed = (id: string | undefined) => register.clusters().find((cluster) => cluster.id === id);

  async function take(
    agentId: string | null,
    { kubernetes, observedAt }: Extract<Observation, { kind: "kubernetes.observed" }>,
  ): Promise<void> {
    const seen: Seen = { agentId, kubernetes: await withoutSecrets(kubernetes), observedAt, receivedMs: clock.monotonicMs() };
    const inventory = register.needsInventory(seen) ? await inventoryOf(seen.kubernetes) : undefined;
    for (const event of register.take({ ...seen, inventory, receivedMs: clock.monotonicMs() }, clock.now())) bus.publish(event);
    const clusterId = register.clusterOf(agentId);
    if (clusterId !== undefined && register.isUnjudged(clusterId)) await judge();
    if (clusterId === undefined || kubernetes.standing !== "watching") return;
    // What happened before somebody looked is no news; it is looked at again where it could not be saved.
    if (kubernetes.objects.events.length > 0) {
      const found = recordable(kubernetes.objects.events, clusterNamed(clusterId)?.inventory);
      const news = await events.record(found, { clusterId, agentId });
      if (recorded.has(clusterId)) for (const event of eventsRecorded(news, { clusterId, agentId, now: clock.now() })) bus.publish(event);
    }
    if (kubernetes.isComplete) recorded.add(clusterId);
  }

  /** A round after those that were asked for before. */
  function judge(): Promise<void> {
    judging = judging.catch(() => undefined).then(judgeOnce);
    return judging;
  }

  async function judgeOnce(): Promise<void> {
    for (const changed of register.judge(clock.now(), clock.monotonicMs())) {
      for (const event of changed) bus.publish(event);
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
  }

  return {
    service,
    routes: kubernetesRoutes(service),
    tools: async () => (await import("./tools.ts")).kubernetesTools(service),
    announce: () => register.announce(clock.now()),
    exposureOf({ agentId, externalId }) {
      const cluster = clusterNamed(register.clusterOf(agentId));
      return cluster && exposureOf(externalId, cluster.inventory);
    },
    servicePortsOf({ agentId, externalId }) {
      const cluster = clusterNamed(register.clusterOf(agentId));
      if (cluster === undefined || !seesAll(cluster, ["services"])) return undefined;
      const exposure = exposureOf(externalId, cluster.inventory);
      return exposure && [...exposure.nodePorts, ...exposure.loadBalanced];
    },
    servicesOf: ({ agentId, externalId }) => clusterNamed(register.clusterOf(agentId))?.inventory.servicesOf(externalId) ?? [],
    workloadOf({ agentId, externalId, image }) {
      const workload = clusterNamed(register.clusterOf(agentId))?.inventory.objects.workloads.get(externalId);
      const names = (workload?.containers ?? []).filter((each) => each.image === image).map(({ name }) => name);
      if (workload === undefined || names.length === 0) return null;
      return { kind: workload.kind, name: workload.name, namespace: workload.namespace, containers: names };
    },
    isObserved(clusterId, alert) {
      const cluster = clusterNamed(clusterId);
      const kinds = Object.entries(ALERT_RULES).find(([name]) => name === alert)?.[1].judgedBy ?? [];
      return cluster?.isObserved === true && seesAll(cluster, kinds);
    },
    async observe(agentId, observations) {
      for (const each of observations) {
        if (each.kind !== "kubernetes.observed") continue;
        rounds?.within(JUDGE_EVERY_MS);
        await take(agentId, each);
      }
    },
    purgeHost: (unit, agentId) => events.purgeHost(unit, agentId, register.othersOf(agentId)),
    forgetHost(agentId) {
      const clusterId = register.clusterOf(agentId);
      register.forgetHost(agentId, clock.monotonicMs());
      if (clusterId !== undefined && clusterNamed(clusterId) === undefined) {
        recorded.delete(clusterId);
        events.forgetCluster(clusterId);
      }
      rounds?.within(JUDGE_EVERY_MS);
    },
    start() {
      events.start();
      rounds = scheduler.whenDue({
        name: "kubernetes problems",
        async run() {
          await judge();
          await followHosts();
          return register.isAny() ? JUDGE_EVERY_MS : Infinity;
        },
      });
    },
  };
}

/** Labels of workloads leave with alerts, as they are shown. */
async function withoutSecrets(sighting: KubernetesSighting): Promise<KubernetesSighting> {
  const { objects } = sighting;
  if (objects.workloads.length === 0) return sighting;
  const workloads: KubernetesWorkload[] = [];
  for (const each of objects.workloads) {
    workloads.push({ ...each, labels: maskSecrets(each.labels) });
    const turn = nextTurnWhenDue();
    if (turn !== undefined) await turn;
  }
  return { ...sighting, objects: { ...objects, workloads } };
}

/** Events with the workloads that they are about: by themselves, by a pod, or by what a controller made for them, which has their name and a suffix. */
function recordable(events: readonly KubernetesEvent[], inventory: Inventory | undefined): RecordableEvent[] {
  const byName =
    inventory &&
    new Map([...inventory.objects.workloads.values()].map(({ id, namespace, kind, name }) => [`${kind} ${namespace}/${name}`, id]));
  return events.map((event) => {
    const { about, namespace } = event;
    const own = about.id !== null && inventory?.objects.workloads.has(about.id) === true ? about.id : undefined;
    const ofPod = about.id === null ? undefined : inventory?.objects.pods.get(about.id)?.workloadId;
    const named =
      byName?.get(`${about.kind} ${namespace}/${about.name}`) ??
      byName?.get(`${MADE_FOR[about.kind]} ${namespace}/${withoutEnd(about.name)}`);
    return { event, workloadId: own ?? ofPod ?? named ?? null };
  });
}

function withoutEnd(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf("-"), 0));
}

interface FollowedHosts {
  clusters: () => readonly Cluster[];
  /** The id of the cluster that a host shows; undefined of one that has shown none since the start. */
  clusterOf: (agentId: string | null) => string | undefined;
  /** Whether a host may still speak for its cluster. */
  isWatching: (agentId: string | null) => boolean;
  present: Pick<PresentContainers, "find" | "hosts" | "ofHost" | "runtimeOf">;
  move: MoveContainer;
}

/**
 * Returns a function that moves the rows of a cluster to the host that watches it now: their settings and history belong to the cluster, not to one of its
 * agents. It throws `storage_unavailable`, and may be called again.
 */
function followWatchingHosts({ clusters, clusterOf, isWatching, present, move }: FollowedHosts): () => Promise<void> {
  /** What a host of another cluster showed stays with it. */
  function isOfCluster(agentId: string | null, id: string): boolean {
    const of = clusterOf(agentId);
    return of === undefined || of === id || isUnnamed(of);
  }

  function leftHosts({ id, agentId }: Cluster): (string | null)[] {
    return [...present.hosts()].filter(
      (each) => each !== agentId && isOfCluster(each, id) && present.runtimeOf(each) === "kubernetes" && !isWatching(each),
    );
  }

  return async () => {
    for (const cluster of clusters()) {
      const { isObserved, agentId } = cluster;
      const left = isObserved ? leftHosts(cluster) : [];
      if (left.length === 0) continue;
      for (const successor of present.ofHost(agentId).filter(({ runtime }) => runtime === "kubernetes")) {
        // The identifiers of Kubernetes are those of one cluster alone.
        const before = left.flatMap((each) => present.find(each, successor.externalId) ?? []).find(({ id }) => id < successor.id);
        if (before !== undefined) await move(before, successor);
      }
    }
  };
}
