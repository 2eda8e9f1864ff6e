import type { ReactNode } from "react";

/** Nothing to show: what would be here, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 py-10">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="flex w-full max-w-[68ch] flex-col items-start gap-3 text-ink-2">{children}</div>
    </div>
  );
}
