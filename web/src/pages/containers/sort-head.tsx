import type { SortKey } from "../../../../src/monitoring/containers/api.ts";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { SORT_WORDS } from "../../entities/containers/filter.ts";
import { FIRST_ORDER, otherOrder } from "./order.ts";

const route = getRouteApi("/containers");

interface Properties {
  by: SortKey;
  numeric?: boolean;
  className?: string;
  /** In place of its usual words. */
  children?: ReactNode;
}

/** The head of a column that sorts the list: by what is looked for first, then the other way round, then in groups again. */
export function SortHead({ by, numeric = false, className, children }: Properties) {
  const { sort, order } = route.useSearch();
  const navigate = route.useNavigate();
  const now = sort === by ? (order ?? FIRST_ORDER[by]) : undefined;

  function turn(): void {
    const next = now === undefined ? { sort: by, order: undefined } : now === FIRST_ORDER[by] ? { sort: by, order: otherOrder(now) } : {};
    void navigate({ search: ({ sort: _, order: __, ...search }) => ({ ...search, ...next }), resetScroll: false });
  }

  return (
    <span
      role="columnheader"
      aria-sort={now === undefined ? undefined : now === "asc" ? "ascending" : "descending"}
      className={classNames(numeric && "text-right", className)}
    >
      <button type="button" className={classNames("h-8 whitespace-nowrap hover:text-ink", now !== undefined && "text-ink")} onClick={turn}>
        {numeric && now !== undefined && <Arrow order={now} />}
        {children || SORT_WORDS[by]}
        {!numeric && now !== undefined && <Arrow order={now} />}
      </button>
    </span>
  );
}

function Arrow({ order }: { order: "asc" | "desc" }) {
  return <span aria-hidden> {order === "asc" ? "↑" : "↓"} </span>;
}
