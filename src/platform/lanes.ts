/** How much is under way at once. */
export interface Lanes<Item> {
  /** Items of one lane wait for each other. */
  laneOf(item: Item): string;
  perLane: number;
  atOnce: number;
  /** Nothing is begun once it is aborted; what is under way is waited for. */
  signal: AbortSignal;
}

/** Works on all items, lane by lane in turn, so that a slow lane holds up no other. The work must not throw. */
export async function workInLanes<Item>(
  items: Iterable<Item>,
  { laneOf, perLane, atOnce, signal }: Lanes<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = new Map<string, { waiting: Item[]; busy: number }>();
  for (const item of items) {
    const lane = lanes.get(laneOf(item)) ?? { waiting: [], busy: 0 };
    lane.waiting.push(item);
    lanes.set(laneOf(item), lane);
  }
  const underWay = new Set<Promise<void>>();

  function begin(): void {
    for (let begun = true; begun && underWay.size < atOnce && !signal.aborted;) {
      begun = false;
      for (const lane of lanes.values()) {
        if (underWay.size >= atOnce) return;
        const item = lane.busy < perLane ? lane.waiting.shift() : undefined;
        if (item === undefined) continue;
        begun = true;
        lane.busy += 1;
        const mine: Promise<void> = work(item).finally(() => {
          lane.busy -= 1;
          underWay.delete(mine);
        });
        underWay.add(mine);
      }
    }
  }

  for (begin(); underWay.size > 0; begin()) await Promise.race(underWay);
}
