import type { ReactNode } from "react";

interface Properties {
  title: string;
  /** By which an address leads to it. */
  id?: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page: a small heading over a line, what belongs to the right of it, then the content. */
export function Section({ title, id, aside, children }: Properties) {
  return (
    <section id={id} className="mt-8 scroll-mt-16">
      <header className="flex min-h-7 items-baseline justify-between gap-3 border-b border-line pb-2">
        <h2 className="text-xs font-semibold text-ink-2">{title}</h2>
        {aside !== undefined && <div className="text-xs text-ink-2">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
