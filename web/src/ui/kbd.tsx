import type { ReactNode } from "react";

/** A key to press. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-[4px] border border-b-2 border-line-strong px-1 font-sans text-[11px] leading-none font-medium text-ink-3">
      {children}
    </kbd>
  );
}
