import { countOf } from "../format/number.ts";
import { Button } from "./button.tsx";

/** Shows more of a list, as long as there is more. */
export function MoreRows({ what, hidden, isReading, onMore }: { what: string; hidden: number; isReading: boolean; onMore: () => void }) {
  if (hidden <= 0) return null;
  return (
    <div className="flex items-center gap-3 border-t border-line pt-3">
      <Button disabled={isReading} onClick={onMore}>
        {isReading ? `Loading older ${what}s` : `Show older ${what}s`}
      </Button>
      <span className="text-xs text-ink-2 tabular-nums">{countOf(hidden, `more ${what}`)}</span>
    </div>
  );
}
