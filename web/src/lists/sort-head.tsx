import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";
import type { ListSort, SortOrder } from "./sort.ts";

interface Properties<Key extends string> {
  sort: ListSort<Key>;
  by: Key;
  title?: string;
  numeric?: boolean;
  className?: string;
  children: ReactNode;
}

/** The head of a column that sorts the list: by what is looked for first, then the other way round, then as usual again. */
export function SortHead<Key extends string>({ sort, by, title, numeric = false, className, children }: Properties<Key>) {
  const now = sort.by === by ? sort.order : undefined;
  return (
    <span
      role="columnheader"
      title={title}
      aria-sort={now === undefined ? undefined : now === "asc" ? "ascending" : "descending"}
      className={classNames(numeric && "text-right", className)}
    >
      <button
        type="button"
        className={classNames("h-8 whitespace-nowrap hover:text-ink", now !== undefined && "text-ink")}
        onClick={() => sort.turn(by)}
      >
        {numeric && now !== undefined && <Arrow order={now} />}
        {children}
        {!numeric && now !== undefined && <Arrow order={now} />}
      </button>
    </span>
  );
}

function Arrow({ order }: { order: SortOrder }) {
  return <span aria-hidden> {order === "asc" ? "↑" : "↓"} </span>;
}
