import { ArrowRight } from "lucide-react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { classNames } from "../../ui/class-names.ts";
import { stepOf, stepWords } from "./words.ts";

/** What runs, and what could run: both on one line, what is too long cut at its end and whole in the title. */
export function Step({ update, className }: { update: UpdateRecord; className?: string }) {
  const { from, to } = stepOf(update);
  return (
    <span title={stepWords(update)} className={classNames("flex min-w-0 items-center gap-1.5 tabular-nums", className)}>
      <bdi className={classNames("min-w-0 truncate", to !== null && "text-ink-2")}>{from}</bdi>
      {to !== null && (
        <>
          <ArrowRight size={13} aria-hidden className="shrink-0 text-ink-3" />
          <span className="sr-only">to</span>
          <bdi className="max-w-[60%] min-w-0 shrink-0 truncate font-[550]">{to}</bdi>
        </>
      )}
    </span>
  );
}
