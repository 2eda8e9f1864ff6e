import type { ReactNode } from "react";

/** A component in one of its states. */
export function Specimen({ state, children }: { state: string; children: ReactNode }) {
  return (
    <div className="min-w-0 border-t border-line py-3">
      <p className="mb-2 text-xs text-ink-3">{state}</p>
      {children}
    </div>
  );
}

/** A component with its states; `id` names its picture. */
export function Shelf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-8 min-w-0">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Several in a row, as many as fit. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>;
}
