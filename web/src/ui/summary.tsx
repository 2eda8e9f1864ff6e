import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** What opens a `details`: words after a chevron, which turns with it. */
export function Summary({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <summary
      className={classNames(
        "flex w-fit cursor-pointer list-none items-start gap-1 rounded pr-2 text-sm text-ink-2 select-none hover:text-ink [&::-webkit-details-marker]:hidden",
        className,
      )}
    >
      <ChevronRight
        size={14}
        aria-hidden
        className="mt-0.5 shrink-0 transition-transform motion-reduce:transition-none [details[open]>summary>&]:rotate-90"
      />
      {children}
    </summary>
  );
}
