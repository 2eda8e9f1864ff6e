import type { UpdateProjection } from "./projection.ts";

/** How often containers were restarted of late, in memory: lists ask for all of them at once. */
export interface Restarts {
  of(containerId: number): number | null;
  refresh(signal: AbortSignal): Promise<void>;
}

export interface RestartsParts {
  projection: Pick<UpdateProjection, "all" | "get">;
  restarts24h(containerId: number): Promise<number | null>;
}

export function createRestarts({ projection, restarts24h }: RestartsParts): Restarts {
  const known = new Map<number, number | null>();
  return {
    of: (containerId) => known.get(containerId) ?? null,
    async refresh(signal) {
      for (const { container } of projection.all()) {
        if (signal.aborted) return;
        known.set(container.id, await restarts24h(container.id));
      }
      for (const id of known.keys()) if (projection.get(id) === undefined) known.delete(id);
    },
  };
}
