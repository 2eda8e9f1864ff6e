import { useEffect, useRef } from "react";
import type { Finder } from "./find.ts";
import { entryNear } from "./entry-near.ts";
import type { LogModel, LogSnapshot } from "./log-model.ts";

interface Options {
  /** The moment to jump to; undefined: to none. */
  at: string | undefined;
  /** What is looked for; null while that is nothing. */
  finder: Finder | null;
  model: LogModel;
  snapshot: LogSnapshot;
  /** Shows an entry. */
  onFound: (id: number) => void;
}

/** Shows the line of a moment, once lines are there. */
export function useJump({ at, finder, model, snapshot, onFound }: Options): void {
  const jumpedTo = useRef<string>(undefined);
  useEffect(() => {
    if (at === undefined || at === jumpedTo.current || snapshot.shown === 0) return;
    jumpedTo.current = at;
    const id = entryNear(model.entries(), Date.parse(at), finder);
    if (id !== undefined) onFound(id);
  }, [at, finder, model, snapshot.shown, onFound]);
}
