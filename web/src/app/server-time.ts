import { useContext, useState } from "react";
import { clockAheadMs } from "../api/server-clock.ts";
import { TickerContext, useNow } from "../ui/ticker.tsx";

/** The time by the server's clock, in milliseconds since the epoch. */
export function useServerTime(): () => number {
  const ticker = useContext(TickerContext);
  return () => ticker?.now() ?? Date.now();
}

/** The point in time so long before the component was first rendered, in ISO 8601. It moves when the server's time becomes known. */
export function useSince(lengthMs: number): string {
  const [openedMs] = useState(() => Date.now());
  const aheadMs = useNow(clockAheadMs);
  return new Date(openedMs - aheadMs - lengthMs).toISOString();
}
