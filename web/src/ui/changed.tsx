import { useState, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Tints its content for a second whenever `value` changes after it was first shown. */
export function Changed({ value, children, className }: { value: string | number | null; children: ReactNode; className?: string }) {
  const [seen, setSeen] = useState({ value, times: 0 });
  if (seen.value !== value) setSeen({ value, times: seen.times + 1 });
  return (
    <span key={seen.times} className={classNames("rounded-[3px]", seen.times > 0 && "animate-tint", className)}>
      {children}
    </span>
  );
}
