import type { ReactNode } from "react";
import type { Status } from "../format/status.ts";
import { classNames } from "./class-names.ts";

/** Filled dot, half dot, cross, ring, wrench: distinguished without colour. */
const SHAPES: Record<Status, ReactNode> = {
  ok: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  degraded: (
    <>
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor" />
      <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.2" />
    </>
  ),
  down: <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />,
  idle: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  maintenance: (
    <path
      d="M2 10l4.4-4.4M10.4 3.3L8.7 5 7 3.3l1.7-1.7a3 3 0 0 0-3.9 3.9 3 3 0 0 0 1.7 1.7 3 3 0 0 0 3.9-3.9z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

const COLOURS: Record<Status, string> = {
  ok: "text-ok",
  degraded: "text-degraded",
  down: "text-down",
  idle: "text-idle",
  maintenance: "text-maintenance",
};

/** The shape of a status. Words must stand beside it, so it is hidden from screen readers. */
export function StatusIcon({ status, size = 12, className }: { status: Status; size?: number; className?: string }) {
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} aria-hidden className={classNames("shrink-0", COLOURS[status], className)}>
      {SHAPES[status]}
    </svg>
  );
}
