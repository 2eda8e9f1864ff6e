import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { HOST_STALE_MS } from "../../../../src/contract/thresholds.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { hostsQuery } from "../../api/queries.ts";
import { hostId } from "../../app/host-id.ts";
import { useHosts } from "../../app/hosts.ts";
import { useNow } from "../../ui/ticker.tsx";

/** A host that is silent for longer is unavailable; a second more, for the way here. */
const SILENT_AFTER_MS = HOST_STALE_MS + 1000;

/** The hosts and what they use, in the order of the switcher. One that falls silent sends no event that says so: then the server is asked. */
export function useHostRecords() {
  const { data, error, refetch } = useQuery(hostsQuery);
  const silent = useNow(
    (nowMs) =>
      data?.hosts.filter(({ available, timestamp }) => available && timestamp !== null && nowMs - Date.parse(timestamp) > SILENT_AFTER_MS)
        .length ?? 0,
  );
  useEffect(() => {
    if (silent > 0) void refetch();
  }, [silent, refetch]);
  const order = useHosts();
  const sorted = useMemo(() => data && { ...data, hosts: inOrder(data.hosts, order) }, [data, order]);
  return { data: sorted, error, refetch };
}

function inOrder(hosts: readonly HostRecord[], order: readonly { id: string }[]): HostRecord[] {
  const places = new Map(order.map(({ id }, place) => [id, place]));
  const placeOf = (host: HostRecord): number => places.get(hostId(host)) ?? order.length;
  return hosts.toSorted((a, b) => placeOf(a) - placeOf(b));
}
