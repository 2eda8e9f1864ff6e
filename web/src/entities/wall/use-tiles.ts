import { useMemo } from "react";
import { useIsUnseen } from "../../app/sight.ts";
import type { Watched } from "../attention/watched.ts";
import { tilesOf, type TileGroup, worstFirst } from "./tiles.ts";

/** The tiles of all that is watched, groups in trouble first, which say so where they are how something was last seen. */
export function useTiles(watched: Watched): TileGroup[] {
  const isUnseen = useIsUnseen();
  return useMemo(() => worstFirst(tilesOf(watched, isUnseen)), [watched, isUnseen]);
}
