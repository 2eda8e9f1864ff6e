import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { endpointsQuery } from "../../api/endpoint-queries.ts";
import { containersQuery } from "../../api/queries.ts";
import { useIsUnseen } from "../../app/sight.ts";
import { containerStatus } from "../../format/container-status.ts";
import { shownEndpointStatus } from "../../format/endpoint-status.ts";
import { lastKnown } from "../../format/last-known.ts";
import type { ContainerStatus } from "../../format/status-facts.ts";

/** How containers and endpoints are, as their lists show it. */
export interface ShownStates {
  container(id: number): ContainerStatus;
  endpoint(id: number): ContainerStatus;
}

/** Of what is in no list yet. */
const NOT_KNOWN: ContainerStatus = { status: "idle", word: "Not seen yet", cause: undefined, since: undefined };

export function useShownStates(): ShownStates {
  const { data: list } = useQuery(containersQuery());
  const { data: checks } = useQuery(endpointsQuery());
  const isUnseen = useIsUnseen();
  return useMemo(() => {
    const containers = new Map(list?.groups.flatMap((group) => group.containers).map((container) => [container.id, container]));
    const endpoints = new Map(checks?.endpoints.map((endpoint) => [endpoint.id, endpoint]));
    return {
      container(id) {
        const found = containers.get(id);
        if (found === undefined) return NOT_KNOWN;
        const current = containerStatus(found);
        return isUnseen("container", found.agent_id) ? lastKnown(current) : current;
      },
      endpoint(id) {
        const found = endpoints.get(id);
        return found === undefined ? NOT_KNOWN : shownEndpointStatus(found, isUnseen("endpoint", found.agent_id));
      },
    };
  }, [list, checks, isUnseen]);
}
