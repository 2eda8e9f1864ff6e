import { useLayoutEffect, useRef } from "react";

/** What keys do: `j`, `?`, two in a row as `g c`, with Ctrl or Cmd as `mod+k`. */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** How long the second key of a pair may take. */
const PAIR_MS = 1200;
/**
 * The first key of pairs. The key after it never counts as a single key, also for pages that bind only single keys: `g r` must not resolve an alert.
 */
const LEADER = "g";

/** Binds keys for as long as the component is there. They rest while someone types, and inside dialogs and menus; `mod+` ones never do. */
export function useHotkeys(bindings: Bindings): void {
  const latest = useRef(bindings);
  // Before anything is painted: a row that can be seen can be reached by its key.
  useLayoutEffect(() => {
    latest.current = bindings;
  });

  useLayoutEffect(() => {
    let first: { key: string; atMs: number } | undefined;

    function handle(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const withModifier = event.ctrlKey || event.metaKey;
      if (!withModifier && isTakenBy(event.target)) return;
      const key = withModifier ? `mod+${event.key.toLowerCase()}` : event.key;
      const isSecond = !withModifier && first?.key === LEADER && event.timeStamp - first.atMs < PAIR_MS;
      first = isSecond ? undefined : { key, atMs: event.timeStamp };
      const run = latest.current[isSecond ? `${LEADER} ${key}` : key];
      if (run === undefined) return;
      first = undefined;
      event.preventDefault();
      run(event);
    }

    window.addEventListener("keydown", handle);
    return () => window.removeEventListener("keydown", handle);
  }, []);
}

function isTakenBy(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]") !== null
  );
}
