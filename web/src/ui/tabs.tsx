import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A row of tabs that are links: every tab has its own address. Give it {@link Tab}s. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]">
      {children}
    </nav>
  );
}

/** One tab. `current` is decided by the component that knows the address. */
export function Tab({ current, children, ...link }: LinkProps & { current: boolean; children: ReactNode }) {
  return (
    <Link
      {...link}
      aria-current={current ? "page" : undefined}
      className="-mb-px shrink-0 border-b-2 border-transparent py-2 text-center text-ink-2 max-md:min-w-10 max-md:py-2.5 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-[550] aria-[current=page]:text-ink"
    >
      {children}
    </Link>
  );
}
