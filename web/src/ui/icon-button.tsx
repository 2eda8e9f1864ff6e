import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { keepFocus } from "./keep-focus.ts";

/** The classes of a square button that shows an icon only. On a phone it is as large as a finger needs. */
export function iconButtonClass(className?: string): string {
  return classNames(
    "inline-flex size-8 shrink-0 items-center justify-center rounded text-ink-2 hover:bg-hover hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-50 aria-pressed:bg-sunken aria-pressed:text-ink max-md:-my-1 max-md:size-10",
    className,
  );
}

/** A button that shows an icon only; `label` is its name and its title. */
export function IconButton({
  icon: Icon,
  label,
  pressed,
  className,
  ...rest
}: Omit<ComponentProps<"button">, "children"> & { icon: LucideIcon; label: string; pressed?: boolean }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      className={iconButtonClass(className)}
      {...keepFocus(rest)}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
