import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { createFinder, type Finder, foundWords } from "./find.ts";
import type { LogListHandle } from "./log-list.tsx";
import type { LogModel, LogSnapshot } from "./log-model.ts";

export interface Find {
  query: string;
  setQuery(query: string): void;
  finder: Finder | null;
  /** `17 in 1,204 lines` or, on one of them, `3 of 17`; once something is looked for. */
  summary: string | undefined;
  next(): void;
  previous(): void;
}

interface Options {
  /** What the address says: what is typed here, a moment later, or a text that came from elsewhere. */
  address: string;
  model: LogModel;
  snapshot: LogSnapshot;
  list: RefObject<LogListHandle | null>;
  selectedId: number | null;
  onSelect: (id: number | null) => void;
}

/** Looks for a text in the lines, and goes from one that has it to the next. */
export function useFind({ address, model, snapshot, list, selectedId, onSelect }: Options): Find {
  const [query, setQueryState] = useState(address);
  const finder = useMemo(() => createFinder(query), [query]);

  /** What the address may still come to say of what was typed. */
  const typed = useRef(new Set([address]));

  useEffect(() => model.setQuery(query), [model, query]);
  useEffect(() => {
    if (!typed.current.has(address)) setQueryState(address);
    if (address === query) typed.current = new Set([query]);
  }, [address, query]);

  function goTo(index: number): void {
    const id = model.found.at(index);
    if (id === undefined) return;
    onSelect(id);
    list.current?.show(id, "center");
  }

  /** The first in sight or below, else the last above. */
  function goToNearest(): void {
    const from = model.found.indexFrom(list.current?.firstSeen() ?? 0);
    goTo(Math.min(from, model.found.length - 1));
  }

  function step(by: 1 | -1): void {
    const count = model.found.length;
    if (count === 0) return;
    if (selectedId === null) return goToNearest();
    const at = model.found.indexFrom(selectedId);
    const isOnOne = model.found.at(at) === selectedId;
    const next = by === -1 ? at - 1 : isOnOne ? at + 1 : at;
    goTo((next + count) % count);
  }

  return {
    query,
    finder,
    setQuery(next) {
      typed.current.add(next);
      setQueryState(next);
      model.setQuery(next);
      onSelect(null);
      if (next !== "") goToNearest();
    },
    summary: query === "" ? undefined : summarize(model, snapshot, selectedId),
    next: () => step(1),
    previous: () => step(-1),
  };
}

function summarize(model: LogModel, snapshot: LogSnapshot, selectedId: number | null): string {
  const at = selectedId === null ? -1 : model.found.indexFrom(selectedId);
  const isOnOne = selectedId !== null && model.found.at(at) === selectedId;
  return foundWords(snapshot, isOnOne ? at + 1 : undefined);
}
