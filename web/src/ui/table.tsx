import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A plain table of lines and white space, for lists that fit on a page. */
export function Table({ className, ...rest }: ComponentProps<"table">) {
  return <table className={classNames("w-full border-collapse text-left", className)} {...rest} />;
}

/** A column's heading. `numeric` sets it to the right, over its figures. */
export function HeadCell({ numeric = false, className, ...rest }: ComponentProps<"th"> & { numeric?: boolean }) {
  return (
    <th
      scope="col"
      className={classNames("h-8 pr-3 text-xs font-medium whitespace-nowrap text-ink-3 last:pr-0", numeric && "text-right", className)}
      {...rest}
    />
  );
}

/** A cell. `numeric` sets it to the right, in figures of one width. */
export function Cell({ numeric = false, className, ...rest }: ComponentProps<"td"> & { numeric?: boolean }) {
  return (
    <td
      className={classNames("h-(--row) border-t border-line py-1 pr-3 last:pr-0", numeric && "text-right tabular-nums", className)}
      {...rest}
    />
  );
}
