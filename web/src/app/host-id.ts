import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";

/** A host as addresses and filters name it: `local`, or an agent's id. */
export interface Host {
  id: string;
  name: string;
}

export const LOCAL_HOST: Host = { id: "local", name: "Local" };

/** The host of something monitored. */
export function hostId(record: Pick<ContainerRecord, "agent_id">): string {
  return record.agent_id ?? LOCAL_HOST.id;
}

/** How a host is called: the local one is `Local` everywhere, whatever its host name. */
export function hostLabel({ agent_id, label }: { agent_id: string | null; label: string }): string {
  return agent_id === null ? LOCAL_HOST.name : label;
}

/** How a host is called, as long as nothing but its id is known: by the beginning of that. */
export function shortName(id: string): string {
  return id === LOCAL_HOST.id ? LOCAL_HOST.name : id.slice(0, 8);
}
