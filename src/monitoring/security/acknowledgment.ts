import type { InsightType } from "../../events.ts";
import type { Insight } from "./insight.ts";

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

/** The facts of a container that decide whether an acknowledgment holds for it. */
interface Holder {
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

/** All acknowledgments, in memory, found by what they hold for. */
export interface KnownAcknowledgments {
  put(acknowledgment: Acknowledgment): void;
  remove(id: number): void;
  get(id: number): Acknowledgment | undefined;
  all(): Iterable<Acknowledgment>;
  count(): number;
  /** The one that holds for a finding of a container. */
  find(container: Holder, finding: Pick<Insight, "type" | "key">): Acknowledgment | undefined;
}

export function createKnownAcknowledgments(): KnownAcknowledgments {
  const byId = new Map<number, Acknowledgment>();
  const byContainer = new Map<string, Acknowledgment>();
  const byName = new Map<string, Acknowledgment>();

  // Names hold no line ends.
  const containerText = ({ containerId, type, key }: Pick<Acknowledgment, "containerId" | "type" | "key">): string =>
    `${containerId} ${type} ${key}`;
  const nameText = ({ host, containerName, type, key }: Pick<Acknowledgment, "host" | "containerName" | "type" | "key">): string =>
    `${host}\n${containerName}\n${type}\n${key}`;

  return {
    put(acknowledgment) {
      byId.set(acknowledgment.id, acknowledgment);
      byContainer.set(containerText(acknowledgment), acknowledgment);
      byName.set(nameText(acknowledgment), acknowledgment);
    },
    remove(id) {
      const known = byId.get(id);
      if (known === undefined) return;
      byId.delete(id);
      if (byContainer.get(containerText(known)) === known) byContainer.delete(containerText(known));
      if (byName.get(nameText(known)) === known) byName.delete(nameText(known));
    },
    get: (id) => byId.get(id),
    all: () => byId.values(),
    count: () => byId.size,
    find(container, { type, key }) {
      if (byId.size === 0) return undefined;
      const found =
        byContainer.get(containerText({ containerId: container.id, type, key })) ??
        byName.get(nameText({ host: hostOf(container.agentId), containerName: container.name, type, key }));
      return found !== undefined && holdsFor(found, container) ? found : undefined;
    },
  };
}
