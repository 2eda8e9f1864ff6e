import { createContext, useContext, useSyncExternalStore } from "react";
import { correctServerClock, serverNow } from "../api/server-clock.ts";

/** The one clock that all ages on the page are read from: it ticks once a second while anything looks at it. */
export interface Ticker {
  /** Milliseconds since the epoch by the server's clock, as of the last tick. */
  now(): number;
  subscribe(listener: () => void): () => void;
  /** Sets the server's time, so that ages are right on a machine whose clock is not; returns whether that moved the clock. */
  correct(serverTime: string): boolean;
}

export function createTicker(): Ticker {
  const listeners = new Set<() => void>();
  let nowMs = serverNow();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tick(): void {
    nowMs = serverNow();
    for (const listener of listeners) listener();
  }

  function run(): void {
    tick();
    timer = setTimeout(run, 1000 - (Date.now() % 1000));
  }

  return {
    now: () => nowMs,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) timer = setTimeout(run, 1000 - (Date.now() % 1000));
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
    correct(serverTime) {
      const hasMoved = correctServerClock(serverTime);
      tick();
      return hasMoved;
    },
  };
}

export const TickerContext = createContext<Ticker | undefined>(undefined);

/** What `read` makes of the current time; renders again only when that changes. */
export function useNow<Reading extends string | number>(read: (nowMs: number) => Reading): Reading {
  const ticker = useContext(TickerContext);
  if (ticker === undefined) throw new Error("useNow needs a TickerContext around it");
  return useSyncExternalStore(ticker.subscribe, () => read(ticker.now()));
}
