import type { InsightType } from "../../events.ts";

/** That somebody knows of a finding, and accepts it. */
export interface Acknowledgment {
  id: number;
  /** `local`, or an agent's UUID. */
  host: string;
  /** The container that it was given for, and how it was called then. */
  containerId: number;
  containerName: string;
  type: InsightType;
  key: string;
  by: string;
  reason: string;
  at: Date;
}

/** What of a container tells whether an acknowledgment holds for it. */
export interface Holder {
  id: number;
  agentId: string | null;
  name: string;
}

export function hostOf(agentId: string | null): string {
  return agentId ?? "local";
}

/** An acknowledgment holds for its container whatever that is called, and for the one that has its name on its host: it was re-created. */
export function holdsFor(acknowledgment: Pick<Acknowledgment, "host" | "containerId" | "containerName">, container: Holder): boolean {
  if (acknowledgment.containerId === container.id) return true;
  return acknowledgment.host === hostOf(container.agentId) && acknowledgment.containerName === container.name;
}
