import type { ComponentProps, MouseEvent } from "react";

/** A button that is disabled while it has the focus would lose it: it says so instead, and does nothing. */
export function keepFocus({ disabled = false, onClick, ...rest }: ComponentProps<"button">): ComponentProps<"button"> {
  return disabled ? { ...rest, "aria-disabled": true, onClick: ignore } : { ...rest, onClick };
}

/** Nor does a form take it for its own. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}
