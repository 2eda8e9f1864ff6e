import { lazy, Suspense, useRef, useState, type RefObject } from "react";
import { mainElement } from "./focus-place.ts";
import { useHeldKeys } from "./held-keys.ts";

const CommandPalette = lazy(() => import("./command-palette.tsx").then((module) => ({ default: module.CommandPalette })));

/** The palette and its field, which is there before the palette is loaded. */
export function PaletteWindow({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [query, setQuery] = useState("");
  const before = useRef(focusedElement() ?? mainElement());
  useHeldKeys({ onEscape: onClose, onText: setQuery });
  return (
    <Suspense fallback={<PaletteField query={query} onQuery={setQuery} onClose={onClose} before={before} />}>
      <CommandPalette {...{ query, before, onClose, onHelp }} onQuery={setQuery} />
    </Suspense>
  );
}

/** Nothing has the focus as long as the page is as it was loaded: then it would get to the link before everything else. */
function focusedElement(): HTMLElement | undefined {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined;
}

interface FieldProperties {
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  /** What had the focus. */
  before: RefObject<HTMLElement | null>;
}

/** What stands in the palette's place while it is loaded. */
function PaletteField({ query, onQuery, onClose, before }: FieldProperties) {
  return (
    <div
      role="dialog"
      aria-label="Search or run"
      aria-busy
      className="fixed top-[10vh] left-1/2 z-40 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded border border-line-strong bg-surface shadow-xl shadow-black/15"
    >
      <input
        // It is what the reader asked for by a key.
        autoFocus
        aria-label="Search or run"
        value={query}
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={({ key }) => {
          if (key !== "Escape") return;
          before.current?.focus();
          onClose();
        }}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <p role="status" className="px-4 py-6 text-ink-2">
        Loading
      </p>
    </div>
  );
}
