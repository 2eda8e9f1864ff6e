import type { ComponentProps } from "react";
import { classNames } from "../../ui/class-names.ts";

/** Some lines of text. */
export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={5}
      className={classNames(
        "block w-full min-w-0 resize-y rounded border border-line-strong bg-surface px-2.5 py-1.5 placeholder:text-ink-3 focus-visible:-outline-offset-1 aria-invalid:border-down",
        className,
      )}
      {...rest}
    />
  );
}
