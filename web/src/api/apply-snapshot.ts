import { changeOf } from "../../../src/contract/change.ts";
import { DAY_MS } from "../../../src/contract/time.ts";
import type { EventData, SnapshotData } from "../../../src/events.ts";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import type { Hosts, Snapshot, Top } from "../../../src/monitoring/resources/answers.ts";
import { looksEqual } from "../format/usage.ts";
import type { Patch } from "./apply-event.ts";
import { haveSameItems } from "./share-rows.ts";

export type SnapshotEvent = EventData["resource.snapshot"];

/** What hosts reported last of what their containers use. */
export interface Readings {
  /** The latest event of each host; null is the local one. */
  byHost: ReadonlyMap<string | null, SnapshotEvent>;
  byContainer: ReadonlyMap<number, SnapshotData>;
}

/** What several events, oldest first, say together. */
export function collectReadings(events: readonly SnapshotEvent[]): Readings {
  const byHost = new Map(events.map((event) => [event.agent_id, event]));
  const byContainer = new Map<number, SnapshotData>();
  for (const { snapshots } of byHost.values()) for (const snapshot of snapshots) byContainer.set(snapshot.container_id, snapshot);
  return { byHost, byContainer };
}

/**
 * What a container uses. One that its host does not report any more loses its figures. Where nothing would look different, or something
 * newer is known, the record stays the same object.
 */
export function patchUsage({ byHost, byContainer }: Readings): Patch {
  return (container) => {
    const event = byHost.get(container.agent_id);
    const known = container.resources;
    if (event === undefined || (known !== null && known.timestamp > event.timestamp)) return container;
    // A reading of the moment before it ended may come after the news of its end.
    const reading = canBeRead(container) ? byContainer.get(container.id) : undefined;
    if (reading === undefined) return known === null ? container : { ...container, resources: null };
    if (known !== null && looksEqual(known, reading)) return container;
    const { cpu_percent, memory_bytes, memory_percent, timestamp } = reading;
    return { ...container, resources: { cpu_percent, memory_bytes, memory_percent, timestamp } };
  };
}

function canBeRead({ state }: ContainerRecord): boolean {
  return state === "running" || state === "paused";
}

/** The list with every container patched; groups without a change stay the same objects, and so does the list. */
export function patchEvery(list: ContainerList, patch: Patch): ContainerList {
  const groups = list.groups.map((group) => {
    const containers = group.containers.map(patch);
    return haveSameItems(containers, group.containers) ? group : { ...group, containers };
  });
  return haveSameItems(groups, list.groups) ? list : { ...list, groups };
}

/** The latest reading of one container of the host `agentId`: all null when the host no longer reports it. */
export function patchCurrent(
  current: Snapshot,
  { byHost, byContainer }: Readings,
  { id, agentId }: { id: number; agentId: string | null | undefined },
): Snapshot {
  const reading = byContainer.get(id);
  if (reading !== undefined) return current.timestamp !== null && current.timestamp > reading.timestamp ? current : reading;
  if (agentId === undefined || !byHost.has(agentId) || current.timestamp === null) return current;
  return nothingKnown(id);
}

function nothingKnown(id: number): Snapshot {
  return {
    container_id: id,
    cpu_percent: null,
    cpu_cores_used: null,
    memory_bytes: null,
    memory_limit_bytes: null,
    memory_percent: null,
    network_rx_bytes: null,
    network_tx_bytes: null,
    disk_read_bytes: null,
    disk_write_bytes: null,
    network_rx_bytes_per_second: null,
    network_tx_bytes_per_second: null,
    disk_read_bytes_per_second: null,
    disk_write_bytes_per_second: null,
    timestamp: null,
  };
}

/** The hosts with their latest samples; one that is new comes last. */
export function patchHosts({ hosts }: Hosts, { byHost }: Readings): Hosts {
  const reported = byHost
    .values()
    .flatMap(({ host }) => (host === null ? [] : [host]))
    .toArray();
  const known = new Set(hosts.map(({ agent_id }) => agent_id));
  return {
    hosts: [
      ...hosts.map((host) => reported.find(({ agent_id }) => agent_id === host.agent_id) ?? host),
      ...reported.filter(({ agent_id }) => !known.has(agent_id)),
    ],
  };
}

/**
 * Who uses the most. Of the hosts that reported everyone with a name is ranked again, of the others those that stood in the list; whoever rises
 * there follows with that host's own event. A list by growth keeps its containers and their order, with the figures of now.
 */
export function patchTop(
  top: Top,
  { byHost, byContainer }: Readings,
  { agentId, limit, nameOf }: { agentId: string | undefined; limit: number; nameOf: (id: number) => string | undefined },
): Top {
  const { sort, by, consumers } = top;
  const readingOf = (snapshot: SnapshotData | undefined) =>
    sort === "cpu"
      ? { value: snapshot?.cpu_cores_used ?? null, percent: snapshot?.cpu_percent ?? null }
      : { value: snapshot?.memory_bytes ?? null, percent: snapshot?.memory_percent ?? null };
  if (by === "growth") {
    return {
      ...top,
      consumers: consumers.map((consumer) => {
        const { value, percent } = readingOf(byContainer.get(consumer.container_id));
        return value === null ? consumer : { ...consumer, value, percent, since_yesterday: changedTo(value, consumer.since_yesterday) };
      }),
    };
  }
  const ranked: Unranked[] = consumers.filter(({ agent_id }) => !byHost.has(agent_id));
  const sinceYesterday = new Map(consumers.map(({ container_id, since_yesterday }) => [container_id, since_yesterday]));
  for (const { agent_id, snapshots } of byHost.values()) {
    if (agentId !== undefined && (agent_id ?? "local") !== agentId) continue;
    for (const snapshot of snapshots) {
      const { value, percent } = readingOf(snapshot);
      const { container_id } = snapshot;
      const name = value === null ? undefined : nameOf(container_id);
      if (value === null || name === undefined) continue;
      const since_yesterday = changedTo(value, sinceYesterday.get(container_id) ?? null);
      ranked.push({ container_id, name, agent_id, value, percent, since_yesterday });
    }
  }
  ranked.sort((one, other) => other.value - one.value || one.container_id - other.container_id);
  return { ...top, consumers: ranked.slice(0, limit).map((each, index) => ({ ...each, rank: index + 1 })) };
}

type Consumer = Top["consumers"][number];
type Unranked = Omit<Consumer, "rank">;

function changedTo(value: number, since: Consumer["since_yesterday"]): Consumer["since_yesterday"] {
  return since === null || since.value === null ? since : { ...since, ...changeOf(since.value, value) };
}

/** Whether a list has to be read again for its comparison: somebody rose into it, or it is that late that another hour of yesterday counts. */
export function lacksYesterday({ yesterday, consumers }: Top, { byHost }: Readings): boolean {
  if (yesterday === null) return false;
  const endMs = Date.parse(yesterday.to) + DAY_MS;
  return (
    consumers.some(({ since_yesterday }) => since_yesterday === null) ||
    byHost.values().some(({ timestamp }) => Date.parse(timestamp) >= endMs)
  );
}
