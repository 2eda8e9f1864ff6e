import { useSyncExternalStore } from "react";

/** The time that several charts point at together. */
export interface Crosshair {
  /** Milliseconds since the epoch; null where it is not shown. */
  at(): number | null;
  point(at: number | null): void;
  subscribe(listener: () => void): () => void;
}

/** `rest`: where it stands while nothing is pointed at; null: nowhere. */
export function createCrosshair(rest: number | null = null): Crosshair {
  const listeners = new Set<() => void>();
  let current: number | null = null;
  return {
    at: () => current ?? rest,
    point(at) {
      if (at === current) return;
      current = at;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders only the components that use it, and only when it moves. */
export function useCrosshair(crosshair: Crosshair): number | null {
  return useSyncExternalStore(crosshair.subscribe, crosshair.at);
}
