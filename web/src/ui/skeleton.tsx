import { classNames } from "./class-names.ts";

/** Holds the place of something that is loading, in its size. Give width and height by class. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded-[4px] bg-line", className ?? "h-4 w-24")} />;
}

/** Holds the place of `count` rows of a table. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-t border-line">
          <Skeleton className={classNames("h-3.5", WIDTHS[index % WIDTHS.length])} />
          <Skeleton className="h-3.5 w-32" />
        </div>
      ))}
    </div>
  );
}

const WIDTHS = ["w-40", "w-28", "w-48", "w-36"];
