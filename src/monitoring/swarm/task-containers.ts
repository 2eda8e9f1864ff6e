import { isDeepStrictEqual } from "node:util";
import type { ContainerSighting, Observation, ContainerSettings, UpdateSettings, ObservationSink } from "../../observations.ts";
import type { SwarmService, SwarmTopology } from "../../observations/swarm.ts";
import type { ServiceCertificates } from "../certificates/index.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { ServiceEndpoints } from "../endpoints/index.ts";
import { type Membership, serviceIdOf } from "./membership.ts";
import type { Register } from "./register.ts";
import type { Cluster } from "./replicas.ts";

type Seen = Observation & { kind: "container.seen" };

/** Containers of tasks, on whichever host: gives them the labels of their services, which only managers see. */
export interface TaskContainers {
  /** The observation with the labels of services under those of containers. A replayed one is not remembered. */
  complete(agentId: string | null, observation: Observation, isReplayed: boolean): Observation;
  /**
   * Containers that labels of their services, all those of a cluster, ask to be otherwise than they are, as they were seen last; `isOther` where other
   * hosts may be part of the cluster.
   */
  outdated(cluster: { id: string; services: readonly SwarmService[]; isOther: boolean }): { agentId: string | null; observation: Seen }[];
  forgetCluster(id: string): void;
  lastSeen(agentId: string | null, externalId: string): Seen | undefined;
  forgetHost(agentId: string): void;
}

export interface TaskContainersParts {
  present: Pick<PresentContainers, "find">;
  membership: Pick<Membership, "serviceOf">;
}

export function createTaskContainers({ present, membership }: TaskContainersParts): TaskContainers {
  /** As their hosts reported it. */
  const seen = new Map<string | null, Map<string, Seen>>();
  /** By cluster: what the labels of each service asked for when its containers were looked at. */
  const applied = new Map<string, ReadonlyMap<string, string>>();

  function remember(agentId: string | null, observation: Seen): void {
    const { container, observedAt } = observation;
    if (serviceIdOf(container) === undefined) return;
    let ofHost = seen.get(agentId);
    if (ofHost === undefined) seen.set(agentId, (ofHost = new Map()));
    const known = ofHost.get(container.externalId);
    if (known === undefined || known.observedAt <= observedAt) ofHost.set(container.externalId, observation);
  }

  /** Until a manager shows its service, what was known of the container holds. */
  function completed(agentId: string | null, container: ContainerSighting): ContainerSighting {
    if (serviceIdOf(container) === undefined) return container;
    const source = membership.serviceOf({ agentId, labels: container.labels }) ?? present.find(agentId, container.externalId);
    return source === undefined ? container : withServiceLabels(container, source);
  }

  function isOutdated(agentId: string | null, container: ContainerSighting): boolean {
    const known = present.find(agentId, container.externalId);
    if (known === undefined) return false;
    const wanted = completed(agentId, container);
    return !isDeepStrictEqual([known.settings, ownLabels(known.labels)], [wanted.settings, ownLabels(wanted.labels)]);
  }

  return {
    complete(agentId, observation, isReplayed) {
      if (observation.kind === "container.seen") {
        if (!isReplayed) remember(agentId, observation);
        const container = completed(agentId, observation.container);
        return container === observation.container ? observation : { ...observation, container };
      }
      if (observation.kind === "container.inventory") {
        const { observedAt, containers } = observation;
        if (!isReplayed) {
          seen.delete(agentId);
          for (const container of containers) remember(agentId, { kind: "container.seen", observedAt, container });
        }
        return { ...observation, containers: containers.map((container) => completed(agentId, container)) };
      }
      if (observation.kind === "container.gone" && !isReplayed) seen.get(agentId)?.delete(observation.externalId);
      return observation;
    },
    outdated({ id: clusterId, services, isOther }) {
      const before = isOther ? undefined : applied.get(clusterId);
      const asked = new Map(services.map(({ id, labels, settings }) => [id, JSON.stringify([ownLabels(labels), settings])]));
      const changed = new Set([...asked].flatMap(([id, text]) => (before?.get(id) === text ? [] : [id])));
      applied.set(clusterId, asked);
      if (changed.size === 0) return [];
      return [...seen].flatMap(([agentId, ofHost]) =>
        [...ofHost.values()]
          .filter(({ container }) => changed.has(serviceIdOf(container) ?? "") && isOutdated(agentId, container))
          .map((observation) => ({ agentId, observation })),
      );
    },
    forgetCluster: (id) => void applied.delete(id),
    lastSeen: (agentId, externalId) => seen.get(agentId)?.get(externalId),
    forgetHost: (agentId) => void seen.delete(agentId),
  };
}

const PREFIX = "service.";
/** Of a service these are for itself: what they lead to is checked once, not once for each task. */
const OF_SERVICE_ALONE = /^service\.(?:endpoint|certificate)\./;

/** The label of each setting, without the prefix. Source: contract, section 1. */
const SETTING_LABELS: Readonly<Record<keyof Omit<ContainerSettings, "updates">, string>> = {
  ignored: "ignore",
  group: "group",
  alertSeverity: "alert.severity",
  alertChannels: "alert.channels",
  alertTags: "alert.tags",
  restartThreshold: "alert.restart_threshold",
  downAfterMs: "alert.down",
};
const UPDATE_LABELS: Readonly<Record<keyof UpdateSettings, string>> = {
  enabled: "update.enabled",
  track: "update.track",
  pin: "update.pin",
  ignoreMajor: "update.ignore_major",
  registry: "update.registry",
  alertOn: "update.alert_on",
  digestOnly: "update.digest_only",
  tagInclude: "update.tag-include",
  tagExclude: "update.tag-exclude",
};

/** Labels, and what they ask for. */
interface Labelled {
  labels: Readonly<Record<string, string>>;
  settings: ContainerSettings;
}

/** A container with the `service.*` labels of its service under its own. The same object when there are none. Source: contract, section 1. */
export function withServiceLabels(container: ContainerSighting, service: Labelled): ContainerSighting {
  const inherited = Object.entries(ownLabels(service.labels)).filter(([label]) => !Object.hasOwn(container.labels, label));
  if (inherited.length === 0) return container;
  const labels = new Set(inherited.map(([label]) => label));
  const { updates } = container.settings;
  const settings = {
    ...inherit(container.settings, service.settings, { names: SETTING_LABELS, labels }),
    updates: inherit(updates, service.settings.updates, { names: UPDATE_LABELS, labels }),
  };
  return { ...container, labels: { ...Object.fromEntries(inherited), ...container.labels }, settings };
}

function inherit<Settings extends object>(
  own: Settings,
  service: Settings,
  { names, labels }: { names: Readonly<Partial<Record<keyof Settings, string>>>; labels: ReadonlySet<string> },
): Settings {
  const merged = { ...own };
  for (const key in names) if (labels.has(`${PREFIX}${names[key]}`)) merged[key] = service[key];
  return merged;
}

/** The labels of a service that hold for the containers of its tasks. */
function ownLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label.startsWith(PREFIX) && !OF_SERVICE_ALONE.test(label)));
}

interface FollowedLabels {
  register: Pick<Register, "clusters" | "views" | "ownerOf">;
  membership: Pick<Membership, "clusterOf" | "mayContinue" | "isSettled">;
  taskContainers: Pick<TaskContainers, "outdated" | "forgetCluster">;
  endpoints: ServiceEndpoints;
  certificates: ServiceCertificates;
  sink: ObservationSink;
}

interface Followed {
  topology: SwarmTopology;
  agentId: string | null;
  hosts: (string | null)[];
  managers: (string | null)[];
  /** What hosts are placed by. */
  members: (string | null)[];
  nodes: string[];
  isSettled: boolean;
}

/**
 * Answers what makes containers and endpoints what labels of services ask for now; to be called after each look at a swarm. Throws
 * `storage_unavailable`; calling it again is harmless.
 */
export function followServiceLabels(parts: FollowedLabels): () => Promise<void> {
  const { register, membership, taskContainers, endpoints, certificates, sink } = parts;
  const followed = new Map<string, Followed>();

  function followedOf({ id, topology, agentId, hosts }: Cluster): Followed {
    return {
      ...{ topology, agentId, hosts: hosts.map((host) => host.agentId) },
      managers: hosts.filter(({ standing }) => standing === "manager").map((host) => host.agentId),
      members: register.views().flatMap((view) => (membership.clusterOf(view.agentId) === id ? [view.agentId] : [])),
      nodes: topology.nodes.map((node) => node.id),
      isSettled: membership.isSettled(),
    };
  }

  async function follow(cluster: Cluster): Promise<void> {
    const { id, topology } = cluster;
    const known = followed.get(id);
    const next = followedOf(cluster);
    const isSame = (names: readonly (keyof Followed)[]): boolean => names.every((name) => String(known?.[name]) === String(next[name]));
    const isOther = !isSame(["members", "nodes", "isSettled"]);
    if (!isOther && known?.topology === topology && known.agentId === next.agentId && isSame(["hosts", "managers"])) return;
    await endpoints.followServices({
      ...next,
      services: topology.services,
      mayTake: (serviceId, holders) => register.ownerOf(serviceId) === id && holders.every((holder) => membership.mayContinue(id, holder)),
    });
    await certificates.followServices({ ...next, services: topology.services });
    followed.set(id, next);
    for (const each of taskContainers.outdated({ id, services: topology.services, isOther })) sink.observe(each.agentId, each.observation);
  }

  /** Of hosts that were part of a swarm and are in none now. */
  async function endLeft(): Promise<void> {
    const left = register.views().flatMap(({ agentId, swarm: { standing } }) => (standing === "inactive" ? [agentId] : []));
    if (left.length === 0) return;
    await endpoints.followServices({ agentId: null, hosts: left, services: [], mayTake: () => false });
    await certificates.followServices({ managers: [], hosts: left, services: [] });
  }

  return async () => {
    const clusters = register.clusters();
    for (const cluster of clusters) if (cluster.isObserved) await follow(cluster);
    for (const id of followed.keys()) {
      if (clusters.some((cluster) => cluster.id === id)) continue;
      followed.delete(id);
      taskContainers.forgetCluster(id);
    }
    await endLeft();
  };
}
