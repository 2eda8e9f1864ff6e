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
