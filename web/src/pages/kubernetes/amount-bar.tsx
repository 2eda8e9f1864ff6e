import { formatShare } from "../../format/usage.ts";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { isNearlyAll, shareOf, type Amount } from "./amounts.ts";

/** The requested share of an amount, in pale, and the used share, in dark, as one bar with its words. */
export function AmountBar({ amount, className }: { amount: Amount; className?: string }) {
  const { name, used, requested, whole, words } = amount;
  const usedShare = shareOf(used, whole);
  const near = isNearlyAll(amount);
  return (
    <div className={classNames("min-w-0", className)}>
      <p className="flex items-baseline justify-between gap-2 text-xs whitespace-nowrap text-ink-2">
        {name}
        <span className="inline-flex items-center gap-1 tabular-nums">
          {formatShare(usedShare)}
          {near && (
            <>
              <StatusIcon status="degraded" size={10} />
              <span className="sr-only">Near limit</span>
            </>
          )}
        </span>
      </p>
      <span aria-hidden className="relative mt-1 block h-1.5 overflow-hidden rounded-full bg-line">
        <span className="absolute inset-y-0 left-0 bg-ink-3/45" style={{ width: `${shareOf(requested, whole) ?? 0}%` }} />
        <span
          className={classNames("absolute inset-y-0 left-0 rounded-full", near ? "bg-degraded" : "bg-ink-2")}
          style={{ width: `${usedShare ?? 0}%` }}
        />
      </span>
      <p title={words} className="mt-1 truncate text-xs text-ink-3 tabular-nums">
        {words}
      </p>
    </div>
  );
}
