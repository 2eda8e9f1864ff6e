import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../src/monitoring/containers/answers.ts";
import type { History, Snapshot, Top } from "../../../src/monitoring/resources/answers.ts";
import { appendSnapshot } from "../charts/append-snapshot.ts";
import {
  collectReadings,
  lacksYesterday,
  patchCurrent,
  patchEvery,
  patchHosts,
  patchTop,
  patchUsage,
  type Readings,
  type SnapshotEvent,
} from "./apply-snapshot.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";
import { containersQuery, hostsQuery, sparklinesQuery, thresholdListQuery } from "./queries.ts";
import { extendSparkSeries } from "./spark-series.ts";

/** Of longer ranges one reading cannot be seen. */
const LIVE_RANGES: ReadonlySet<unknown> = new Set(["1h", "6h"]);

/** Keeps every cached figure of resources as its host reports it, without reading it again. */
export function createResourceUpdates(queryClient: QueryClient): LiveUpdates<"resource"> {
  let waiting: SnapshotEvent[] = [];

  /** Hosts that speak at the same time cost one rendering. */
  const applySoon = coalesce(
    () => {
      const events = waiting;
      waiting = [];
      const readings = collectReadings(events);
      queryClient.setQueryData(containersQuery().queryKey, (list) => list && patchEvery(list, patchUsage(readings)));
      queryClient.setQueryData(sparklinesQuery.queryKey, (series) => series && extendSparkSeries(series, events));
      queryClient.setQueryData(hostsQuery.queryKey, (hosts) => hosts && patchHosts(hosts, readings));
      patchTops(readings);
      patchContainers(events, readings);
    },
    { quietMs: 50, longestMs: 500 },
  );
  /** With many hosts there are several readings a second. */
  const topsSoon = coalesce(() => reread(["resources", "top"]), { quietMs: 250, longestMs: 5000 });
  const thresholdsSoon = coalesce(() => reread(thresholdListQuery.queryKey), { quietMs: 250, longestMs: 1000 });

  function reread(queryKey: QueryKey): void {
    void queryClient.invalidateQueries({ queryKey });
  }

  function patchTops(readings: Readings): void {
    const tops = queryClient.getQueryCache().findAll({ queryKey: ["resources", "top"] });
    if (tops.length === 0) return;
    const groups = queryClient.getQueryData(containersQuery().queryKey)?.groups ?? [];
    const names = new Map(groups.flatMap(({ containers }) => containers.map(({ id, name }) => [id, name])));
    for (const { queryKey } of tops) {
      // As `topQuery` makes them.
      const { by, agentId, limit } = queryKey[2] as { by: Top["by"]; agentId: string | undefined; limit: number };
      const top = queryClient.setQueryData<Top>(
        queryKey,
        (known) => known && patchTop(known, readings, { agentId, limit, nameOf: (id) => names.get(id) }),
      );
      // How much those that are not listed have grown is known to the server alone.
      if (by === "growth" || (top !== undefined && lacksYesterday(top, readings))) topsSoon.call();
    }
  }

  /** What is known of single containers: those whose pages were open of late. */
  function patchContainers(events: readonly SnapshotEvent[], readings: Readings): void {
    for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: ["container"] })) {
      // As the queries of one container make them.
      const [, id, what, range] = queryKey as ["container", number, string, ...unknown[]];
      if (what === "detail") {
        queryClient.setQueryData<ContainerDetail>(queryKey, (detail) => detail && { ...detail, ...patchUsage(readings)(detail) });
      } else if (what === "resources") {
        const agentId = queryClient.getQueryData<ContainerDetail>(["container", id, "detail"])?.agent_id;
        queryClient.setQueryData<Snapshot>(queryKey, (current) => current && patchCurrent(current, readings, { id, agentId }));
      } else if (what === "history" && LIVE_RANGES.has(range)) {
        for (const { snapshots } of events) {
          const snapshot = snapshots.find(({ container_id }) => container_id === id);
          if (snapshot === undefined) continue;
          queryClient.setQueryData<History>(queryKey, (history) => history && appendSnapshot(history, snapshot));
        }
      }
    }
  }

  /** Its marks in the charts, and what its thresholds say of it. */
  function breached({ id }: { id: number }): void {
    reread(["container", id, "thresholds"]);
    reread(["container", id, "history"]);
    thresholdsSoon.call();
  }

  return {
    events: {
      "resource.snapshot": (event) => {
        waiting.push(event);
        applySoon.call();
      },
      "resource.alert": breached,
      "resource.recovery": breached,
    },
    reread: () => reread(["resources"]),
    cancel() {
      applySoon.cancel();
      topsSoon.cancel();
      thresholdsSoon.cancel();
    },
  };
}
