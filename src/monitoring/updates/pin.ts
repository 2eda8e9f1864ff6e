/** That somebody wants a container to stay at what it runs. */
export interface Pin {
  id: number;
  /** `local`, or an agent's UUID. */
  host: string;
  /** The container that it was set for, and how it was called then. */
  containerId: number;
  containerName: string;
  reason: string | null;
  /** What it ran then. */
  tag: string | null;
  digest: string | null;
  at: Date;
}

export interface Exclusion {
  id: number;
  /** A pattern of image names, see contract/image-pattern.ts. */
  image: string;
  at: Date;
}

export function hostOf(agentId: string | null): string {
  return agentId ?? "local";
}

/** All pins in memory, found by what they hold for: their container whatever it is called, and the one that has its name on its host. */
export interface KnownPins {
  put(pin: Pin): void;
  remove(pin: Pin): void;
  find(container: { id: number; agentId: string | null; name: string }): Pin | undefined;
  all(): Iterable<Pin>;
}

export function createKnownPins(): KnownPins {
  const byId = new Map<number, Pin>();
  const byContainer = new Map<number, Pin>();
  const byName = new Map<string, Pin>();
  const nameKey = (host: string, name: string): string => `${host}/${name}`;

  function remove(pin: Pin): void {
    const known = byId.get(pin.id);
    if (known === undefined) return;
    byId.delete(known.id);
    if (byContainer.get(known.containerId) === known) byContainer.delete(known.containerId);
    const key = nameKey(known.host, known.containerName);
    if (byName.get(key) === known) byName.delete(key);
  }

  return {
    put(pin) {
      remove(pin);
      byId.set(pin.id, pin);
      byContainer.set(pin.containerId, pin);
      byName.set(nameKey(pin.host, pin.containerName), pin);
    },
    remove,
    find: ({ id, agentId, name }) => byContainer.get(id) ?? byName.get(nameKey(hostOf(agentId), name)),
    all: () => byId.values(),
  };
}
