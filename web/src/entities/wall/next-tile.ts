/** Where a tile stands, from the left and the top of the page. */
export interface Place {
  left: number;
  top: number;
}

/** The index of the tile that an arrow key leads to from `index`; up and down lead to the nearest one of the next line. Undefined: to none. */
export function nextTile(places: readonly Place[], index: number, key: string): number | undefined {
  const from = places[index];
  if (from === undefined) return undefined;
  const isThere = (at: number): number | undefined => (at >= 0 && at < places.length ? at : undefined);
  switch (key) {
    case "ArrowLeft":
      return isThere(index - 1);
    case "ArrowRight":
      return isThere(index + 1);
    case "Home":
      return isThere(0);
    case "End":
      return isThere(places.length - 1);
    case "ArrowUp":
    case "ArrowDown": {
      const isBeyond = ({ top }: Place): boolean => (key === "ArrowUp" ? top < from.top : top > from.top);
      const tops = places.filter(isBeyond).map(({ top }) => top);
      if (tops.length === 0) return undefined;
      const line = key === "ArrowUp" ? Math.max(...tops) : Math.min(...tops);
      const inLine = [...places.keys()].filter((at) => places[at]?.top === line);
      return inLine.reduce((best, at) => (distance(places, at, from) < distance(places, best, from) ? at : best));
    }
    default:
      return undefined;
  }
}

function distance(places: readonly Place[], at: number, { left }: Place): number {
  return Math.abs((places[at]?.left ?? 0) - left);
}
