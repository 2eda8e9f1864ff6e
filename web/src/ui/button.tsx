import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { keepFocus } from "./keep-focus.ts";

export type ButtonKind = "plain" | "primary" | "quiet" | "danger";

const KINDS: Record<ButtonKind, string> = {
  plain: "border-line-strong bg-surface text-ink hover:bg-hover",
  primary: "border-transparent bg-accent font-[550] text-on-accent hover:opacity-90",
  quiet: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border-line-strong bg-surface text-down hover:bg-down-soft",
};

/** On a phone a finger may miss a button by a little: 40 px, measured from inside its border. */
const ROOM = "max-md:relative max-md:after:absolute max-md:after:inset-x-[min(0px,calc((100%-40px)/2))] max-md:after:-inset-y-[5px]";

/** The classes of a button, for a link or a menu trigger that looks like one. */
export function buttonClass(kind: ButtonKind = "plain", className?: string): string {
  return classNames(
    "inline-flex h-8 items-center justify-center gap-2 rounded border px-2.5 whitespace-nowrap select-none aria-pressed:border-accent aria-pressed:bg-sunken aria-disabled:cursor-default aria-disabled:opacity-50",
    ROOM,
    KINDS[kind],
    className,
  );
}

/** A button with words. `pressed` makes it a toggle. */
export function Button({ kind, pressed, className, ...rest }: ComponentProps<"button"> & { kind?: ButtonKind; pressed?: boolean }) {
  return <button type="button" aria-pressed={pressed} className={buttonClass(kind, className)} {...keepFocus(rest)} />;
}
