import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";

/** The title of a column, with the classes of its head where it has some. */
export type ColumnTitle = string | readonly [title: string, className: string];

/** The heads of columns by which nothing is sorted. */
export function ColumnHeads({ titles }: { titles: readonly ColumnTitle[] }) {
  return titles.map((each) => {
    const [title, className] = typeof each === "string" ? [each] : each;
    return (
      <span key={title} role="columnheader" className={className}>
        {title}
      </span>
    );
  });
}

interface Properties {
  label: string;
  /** The columns of head and rows, by class. */
  columns: string;
  titles: readonly ColumnTitle[];
  /** The heads stay in view while the page is scrolled. */
  sticks?: boolean;
  /** How many rows there are with those that are not shown. */
  rowCount?: number;
  className?: string;
  rowsClass?: string;
  /** The rows. */
  children: ReactNode;
}

/** A table whose rows are grids. On a phone, where rows have several lines, its heads are only read out. */
export function GridTable(properties: Properties) {
  const { label, columns, titles, sticks = false, rowCount, className, rowsClass = "border-b border-line", children } = properties;
  const isCounted = rowCount !== undefined;
  return (
    <div role="table" aria-label={label} aria-rowcount={isCounted ? rowCount + 1 : undefined} className={className}>
      <div role="rowgroup" className={classNames("max-md:sr-only", sticks && "sticky top-13 z-10 bg-bg")}>
        <div
          role="row"
          aria-rowindex={isCounted ? 1 : undefined}
          className={classNames(columns, "h-8 items-center text-xs font-medium text-ink-3", sticks && "px-2.5")}
        >
          <ColumnHeads titles={titles} />
        </div>
      </div>
      <div role="rowgroup" className={rowsClass}>
        {children}
      </div>
    </div>
  );
}
