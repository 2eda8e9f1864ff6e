import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";

/** The space a page fills: its width and margins. `narrow` is for what is read rather than scanned. */
export function Page({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return <div className={classNames("px-4 py-5 sm:px-6 sm:py-6", narrow ? "max-w-[848px]" : "max-w-[1288px]")}>{children}</div>;
}

/** What a page shows and how many, and at the right what narrows it. */
export function PageHeader({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-3 sm:min-h-8">
      <h1 className="text-[19px] leading-[26px] font-[620] tracking-[-0.012em] sm:text-xl">{title}</h1>
      {note !== undefined && <p className="min-h-5 text-ink-2 tabular-nums">{note}</p>}
      {children !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full">{children}</div>}
    </header>
  );
}
