import { useState, type ReactNode } from "react";
import { countOf } from "../format/number.ts";
import { Button } from "../ui/button.tsx";

interface Properties<Item> {
  items: readonly Item[];
  /** So many are shown at first, and more each time. */
  step: number;
  /** What one is called. */
  noun: string;
  render: (item: Item) => ReactNode;
}

/** The first rows of a list that may be too long for a page, and more of them when asked for. */
export function FirstRows<Item>({ items, step, noun, render }: Properties<Item>) {
  const [most, setMost] = useState(step);
  return (
    <>
      {items.slice(0, most).map(render)}
      {items.length > most && (
        <li className="flex items-center gap-3 border-b border-line py-2 md:px-2.5">
          <Button onClick={() => setMost(most + step)}>Show more</Button>
          <span className="text-xs text-ink-2 tabular-nums">{countOf(items.length - most, `more ${noun}`)}</span>
        </li>
      )}
    </>
  );
}
