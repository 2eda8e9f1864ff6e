import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AgentRecord } from "../../../src/fleet/agents/answers.ts";
import { runtimeStatusQuery } from "../api/queries.ts";
import { useAgents } from "./agents.ts";
import { SECTIONS, type Section } from "./sections.ts";

/** The sections of one runtime. */
const RUNTIME_OF: Partial<Record<Section["to"], AgentRecord["runtime"]>> = { "/swarm": "swarm", "/kubernetes": "kubernetes" };

/** The sections that there is something for: that of swarms where an engine is a manager, that of Kubernetes where a host watches a cluster. */
export function useSections(): readonly Section[] {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const agents = useAgents();
  return useMemo(() => {
    const runtimes = new Set([runtime?.runtime, ...[...agents.values()].map((agent) => agent.runtime)]);
    return SECTIONS.filter(({ to }) => {
      const needed = RUNTIME_OF[to];
      return needed === undefined || runtimes.has(needed);
    });
  }, [runtime?.runtime, agents]);
}
