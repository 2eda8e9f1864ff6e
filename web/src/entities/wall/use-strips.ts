import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { STRIP_STEPS } from "../../../../src/contract/strip.ts";
import { DAY_MS, MINUTE_MS } from "../../../../src/contract/time.ts";
import { request } from "../../api/client.ts";
import { serverNow } from "../../api/server-clock.ts";
import { useNow } from "../../ui/ticker.tsx";
import type { DrawnStrip } from "./draw-strip.ts";

const STEP_MS = DAY_MS / STRIP_STEPS;

export type Strips = ReadonlyMap<string, DrawnStrip>;

/** How everything was within the last day. Its key begins with `alerts`: it is read again as they change, and when a step is over. */
export function useStrips(host: string | undefined, isShown: boolean): Strips | undefined {
  const step = useNow((nowMs) => Math.floor((nowMs - MINUTE_MS) / STEP_MS));
  const { data } = useQuery({
    queryKey: ["alerts", "strips", host, step],
    async queryFn({ signal }) {
      // Drawn by code that the first view does without.
      const [{ drawStrips }, list] = await Promise.all([
        import("./draw-strip.ts"),
        request("GET /api/v1/overview/strips", { signal, query: { agent_id: host } }),
      ]);
      return drawStrips(list, serverNow());
    },
    structuralSharing: false,
    placeholderData: keepPreviousData,
    enabled: isShown,
  });
  return data;
}
