import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { hostsQuery } from "../../api/queries.ts";
import { useAsksAgents } from "../../app/hosts-provider.tsx";

/** The agents. What comes of each a second has no event: it is read again as figures of hosts come, when it is older than `freshMs`. */
export function useAgentList({ freshMs = 9000 } = {}) {
  const query = useQuery({ ...agentsQuery, enabled: useAsksAgents() });
  const { dataUpdatedAt: figuresAt } = useQuery(hostsQuery);
  const { refetch, dataUpdatedAt } = query;
  useEffect(() => {
    if (dataUpdatedAt > 0 && figuresAt - dataUpdatedAt > freshMs) void refetch();
  }, [figuresAt, freshMs, refetch, dataUpdatedAt]);
  return query;
}
