import type { ReactNode } from "react";

/** A list of named facts, name left, fact right. Give it {@link Fact}s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-6 py-1 max-md:has-[a]:gap-y-2">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="min-w-28 py-1.5 text-ink-2">{name}</dt>
      <dd className="min-w-0 py-1.5 wrap-anywhere">{children}</dd>
    </>
  );
}
