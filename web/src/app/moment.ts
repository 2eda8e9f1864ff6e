import { useNavigate, useSearch } from "@tanstack/react-router";
import { HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { useServerTime } from "./server-time.ts";

/** The moment of the past that the whole app shows; undefined: the present. It stands in the address. */
export function useMoment(): string | undefined {
  return useSearch({ strict: false }).at;
}

/** Shows another moment on the same page; undefined: the present. */
export function useGoToMoment(): (at: string | undefined, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return (at, { replace = false } = {}) => void navigate({ to: ".", search: (search) => ({ ...search, at }), replace, resetScroll: false });
}

/** Leads an hour back, from where the bar leads anywhere within 90 days; from the past to the present. */
export function useGoBack(): () => void {
  const isPast = useMoment() !== undefined;
  const go = useGoToMoment();
  const serverTime = useServerTime();
  return () => go(isPast ? undefined : new Date(Math.floor((serverTime() - HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString());
}
