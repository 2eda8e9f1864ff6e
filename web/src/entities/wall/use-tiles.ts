import { useMemo } from "react";
import { useLive } from "../../api/live.ts";
import { LOCAL_HOST } from "../../app/host-id.ts";
import { useLostHosts } from "../../app/hosts.ts";
import { useIsHostStale } from "../../app/runtime-notice.tsx";
import type { Watched } from "../attention/watched.ts";
import { tilesOf, type TileGroup } from "./tiles.ts";

/** The tiles of all that is watched, which say so where they are how something was last seen. */
export function useTiles(watched: Watched): TileGroup[] {
  const lost = useLostHosts();
  const isOffline = useLive().phase === "offline";
  const isRuntimeLost = useIsHostStale()(LOCAL_HOST.id);
  return useMemo(
    () =>
      tilesOf(watched, (type, agentId) => {
        if (agentId !== null) return isOffline || lost[agentId] !== undefined;
        // Endpoints and heartbeats of this host are seen whether its runtime is reached or not.
        return type === "container" ? isRuntimeLost : isOffline;
      }),
    [watched, lost, isOffline, isRuntimeLost],
  );
}
