import { useMemo } from "react";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { hostId } from "../../app/host-id.ts";
import { useChosenHost, useHosts } from "../../app/hosts.ts";
import { useIsHostStale } from "../../app/sight.ts";

/** The names of the hosts that are looked at whose containers have never been seen. */
export function useUnknownHosts(containers: readonly ContainerRecord[]): readonly string[] {
  const hosts = useHosts();
  const chosen = useChosenHost();
  const isStale = useIsHostStale();
  const seen = useMemo(() => new Set(containers.map(hostId)), [containers]);
  return hosts.filter(({ id }) => (chosen ?? id) === id && isStale(id) && !seen.has(id)).map(({ name }) => name);
}
