import { useQuery } from "@tanstack/react-query";
import { runtimeStatusQuery } from "../api/queries.ts";
import { useAgents } from "./agents.ts";
import { SECTIONS, type Section } from "./sections.ts";

/** The sections that there is something for: that of swarms where an engine is a manager. */
export function useSections(): readonly Section[] {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const agents = useAgents();
  const hasSwarm = runtime?.runtime === "swarm" || [...agents.values()].some((agent) => agent.runtime === "swarm");
  return hasSwarm ? SECTIONS : WITHOUT_SWARM;
}

const WITHOUT_SWARM = SECTIONS.filter(({ to }) => to !== "/swarm");
