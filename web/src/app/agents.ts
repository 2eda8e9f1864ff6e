import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AgentList, AgentRecord } from "../../../src/fleet/agents/answers.ts";
import { agentsQuery } from "../api/agents.ts";
import { useAsksAgents } from "./hosts-provider.tsx";
import { LOCAL_HOST } from "./host-id.ts";
import { useHosts } from "./hosts.ts";

const NONE: ReadonlyMap<string, AgentRecord> = new Map();

/** Every agent by its id; empty where there is none, and until they are read. */
export function useAgents(): ReadonlyMap<string, AgentRecord> {
  const { data } = useQuery({ ...agentsQuery, enabled: useAsksAgents(useHosts().some(({ id }) => id !== LOCAL_HOST.id)) });
  return useMemo(() => byId(data), [data]);
}

function byId(list: AgentList | undefined): ReadonlyMap<string, AgentRecord> {
  return list === undefined ? NONE : new Map(list.agents.map((agent) => [agent.id, agent]));
}
