import { useEffect, useRef } from "react";
import type { LogModel, LogSnapshot } from "./log-model.ts";

interface Options {
  /** The moment to jump to; undefined: to none. */
  at: string | undefined;
  model: LogModel;
  snapshot: LogSnapshot;
  /** Shows an entry. */
  onFound: (id: number) => void;
}

/** Shows the first line that was written at a moment or after it, once lines are there. A moment before all of them is left alone. */
export function useJump({ at, model, snapshot, onFound }: Options): void {
  const jumpedTo = useRef<string>(undefined);
  useEffect(() => {
    if (at === undefined || at === jumpedTo.current || snapshot.shown === 0) return;
    jumpedTo.current = at;
    const id = firstAt(model, Date.parse(at));
    if (id !== undefined) onFound(id);
  }, [at, model, snapshot.shown, onFound]);
}

function firstAt(model: LogModel, atMs: number): number | undefined {
  let isAfterFirst = false;
  for (const entry of model.entries()) {
    if ("note" in entry || entry.time === null) continue;
    if (entry.time >= atMs) return entry.time === atMs || isAfterFirst ? entry.id : undefined;
    isAfterFirst = true;
  }
  return undefined;
}
