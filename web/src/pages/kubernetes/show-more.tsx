import { useState } from "react";
import { countOf } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";

/** Reads the next rows of a long list, and says how many are there. */
export function ShowMore({ isBusy, onMore, children }: { isBusy: boolean; onMore: () => void; children: string }) {
  return (
    <div className="flex items-center gap-3 pt-3">
      <Button aria-disabled={isBusy} onClick={() => isBusy || onMore()}>
        {isBusy ? "Loading more" : "Show more"}
      </Button>
      <span className="text-xs text-ink-2 tabular-nums">{children}</span>
    </div>
  );
}

/** The first rows of a long list that is known whole, and the button that shows the others. */
export function useFirst<Row>(rows: readonly Row[], first: number, what: string) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, first);
  const more = shown.length < rows.length && (
    <Button className="mt-3" onClick={() => setAll(true)}>
      Show all {countOf(rows.length, what)}
    </Button>
  );
  return { shown, more };
}
