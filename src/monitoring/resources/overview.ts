import type { HostData, SnapshotData } from "../../events.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { type PresentContainers, type ReadResources, type SavedContainer, usesResources } from "../containers/index.ts";
import type { Hosts, Snapshot, Sparklines as SparklinesRecord, Summary } from "./answers.ts";
import type { Current } from "./current.ts";
import { cores, percent, shareInPercent, snapshotAt, whole, type Tick, hostRecord } from "./snapshot.ts";
import { POINT_MS, pointAt, POINTS, type Sparklines } from "./sparkline.ts";

/** The hosts that are watched. */
export interface KnownAgents {
  /** The local host is watched too. */
  local: boolean;
  ids(): Iterable<string>;
  /** What people call it. */
  labelOf(agentId: string): string | undefined;
}

/** What is used now, made when somebody asks. */
export interface Overview {
  current(container: SavedContainer): Snapshot;
  /** The figures of a list's row. */
  row(tick: Tick, id: number): ReturnType<ReadResources>;
  /** All that a tick says. */
  snapshots(tick: Tick): SnapshotData[];
  host(agentId: string | null): HostData;
  hosts(): Hosts;
  /** Throws `not_found` for a host that never reported. */
  summary(agentId: string | null): Summary;
  /** What hosts reported last; undefined: all hosts. */
  ticks(agentId: string | null | undefined): Tick[];
  /** undefined: of all hosts. */
  sparklines(agentId: string | null | undefined): SparklinesRecord;
}

export function createOverview({
  current,
  sparklines,
  present,
  clock,
  agents,
}: {
  current: Current;
  sparklines: Sparklines;
  present: PresentContainers;
  clock: Clock;
  agents: KnownAgents;
}): Overview {
  const host = (agentId: string | null): HostData =>
    hostRecord(agentId, current.host(agentId), {
      label: agentId === null ? undefined : agents.labelOf(agentId),
      running: present.count(agentId).running,
      runtime: present.runtimeOf(agentId),
    });

  /** The local host first, then agents. */
  function hosts(): (string | null)[] {
    const known = new Set([...agents.ids(), ...current.hosts(), ...present.hosts()]);
    const isLocalThere = known.delete(null) || agents.local;
    return [...(isLocalThere ? [null] : []), ...[...known].toSorted()];
  }

  /** Where to find what a container uses; undefined while it uses nothing, or nobody knows. */
  function placeOf({ id, agentId, state }: SavedContainer): { tick: Tick; place: number } | undefined {
    const tick = usesResources(state) ? current.tick(agentId) : undefined;
    const place = tick?.placeOf(id);
    return tick === undefined || place === undefined ? undefined : { tick, place };
  }

  return {
    host,
    ticks: (agentId) => (agentId === undefined ? hosts() : [agentId]).flatMap((each) => current.tick(each) ?? []),
    hosts: () => ({ hosts: hosts().map(host) }),
    current(container) {
      const found = container.archivedAt === null ? placeOf(container) : undefined;
      return found === undefined
        ? { ...NOTHING, container_id: container.id }
        : snapshotAt(found.tick.columns, found.place, { containerId: container.id, timestamp: found.tick.timestamp });
    },
    row({ timestamp, columns, placeOf: find }, id) {
      const place = find(id);
      if (place === undefined) return null;
      return {
        cpu_percent: percent(columns.cpuPercent[place]),
        cpu_cores_used: cores(columns.cpuCoresUsed[place]),
        memory_bytes: whole(columns.memoryBytes[place]),
        memory_percent: shareInPercent(columns.memoryBytes[place], columns.memoryLimitBytes[place]),
        timestamp,
      };
    },
    snapshots({ timestamp, ids, columns }) {
      return ids.map((containerId, place) => snapshotAt(columns, place, { containerId, timestamp }));
    },
    summary(agentId) {
      if (!hosts().includes(agentId)) throw noHost(agentId);
      const columns = current.tick(agentId)?.columns;
      return {
        ...host(agentId),
        total_containers: present.count(agentId).total,
        containers: {
          cpu_cores_used: cores(sum(columns?.cpuCoresUsed)),
          memory_bytes: whole(sum(columns?.memoryBytes)),
          network_rx_bytes_per_second: whole(sum(columns?.networkRxBytesPerSecond)),
          network_tx_bytes_per_second: whole(sum(columns?.networkTxBytesPerSecond)),
          disk_read_bytes_per_second: whole(sum(columns?.diskReadBytesPerSecond)),
          disk_write_bytes_per_second: whole(sum(columns?.diskWriteBytesPerSecond)),
        },
      };
    },
    sparklines(agentId) {
      const last = pointAt(clock.now().getTime());
      const timestamps = Array.from({ length: POINTS }, (_, index) => new Date((last - POINTS + 1 + index) * POINT_MS).toISOString());
      const shown = [...sparklines.ids()].filter((id) => {
        const container = present.get(id);
        return container !== undefined && !container.settings.ignored && (agentId === undefined || container.agentId === agentId);
      });
      const containers = shown.map((id) => {
        const { cpuPercent, memoryPercent } = sparklines.of(id, last);
        return { container_id: id, cpu_percent: cpuPercent, memory_percent: memoryPercent };
      });
      return { step_seconds: POINT_MS / 1000, timestamps, containers };
    },
  };
}

/** Of the numbers in it; undefined when there is none. */
function sum(column: Float64Array | undefined): number | undefined {
  let total: number | undefined;
  for (const value of column ?? []) if (!Number.isNaN(value)) total = (total ?? 0) + value;
  return total;
}

const NOTHING: Omit<Snapshot, "container_id"> = {
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

function noHost(agentId: string | null): ServiceError {
  return new ServiceError(
    "not_found",
    agentId === null ? "This server does not watch its own host; name one with agent_id." : `There is no host ${agentId}.`,
  );
}
