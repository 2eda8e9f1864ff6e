import type { Order } from "../line.ts";

/** What orders parts of logs: the times of their lines, and the number of the last chunk of those that end together. */
interface Ordered {
  firstMs: number;
  lastMs: number;
  number: number;
  weight: number;
}

/** Parts of logs by their times, each with what is kept for it. */
export interface PartQueue<Item> {
  add(part: Ordered, item: Item): void;
  /** What is taken out next; undefined when nothing is left. */
  first(): Pick<Ordered, "firstMs" | "lastMs"> | undefined;
  /** Takes out the first, until they have that weight. */
  take(weight: number): Item[];
}

/** A binary heap: there are thousands of parts, and more are added while it is emptied. */
export function createPartQueue<Item>(order: Order): PartQueue<Item> {
  const heap: { part: Ordered; item: Item }[] = [];
  const isBefore = order === "newest" ? endsLater : beginsEarlier;

  /** Whether what stands at one place belongs before what stands at the other. */
  function precedes(one: number, other: number): boolean {
    const [a, b] = [heap[one], heap[other]];
    return a !== undefined && b !== undefined && isBefore(a.part, b.part);
  }

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  }

  function takeFirst(): { part: Ordered; item: Item } | undefined {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = precedes(left + 1, left) ? left + 1 : left;
      if (!precedes(child, at)) return first;
      swap(child, at);
      at = child;
    }
  }

  return {
    add(part, item) {
      let at = heap.push({ part, item }) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && precedes(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    first: () => heap[0]?.part,
    take(weight) {
      const taken: Item[] = [];
      for (let missing = weight; missing > 0;) {
        const first = takeFirst();
        if (first === undefined) break;
        taken.push(first.item);
        missing -= first.part.weight;
      }
      return taken;
    },
  };
}

function endsLater(one: Ordered, other: Ordered): boolean {
  return one.lastMs === other.lastMs ? one.number > other.number : one.lastMs > other.lastMs;
}

function beginsEarlier(one: Ordered, other: Ordered): boolean {
  return one.firstMs === other.firstMs ? one.number < other.number : one.firstMs < other.firstMs;
}
