import { useContext } from "react";
import { TickerContext } from "../ui/ticker.tsx";

/** The time by the server's clock, in milliseconds since the epoch. */
export function useServerTime(): () => number {
  const ticker = useContext(TickerContext);
  return () => ticker?.now() ?? Date.now();
}
