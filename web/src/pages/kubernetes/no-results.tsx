import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { ListPath } from "./use-filter.ts";

/** Nothing is left of a list that is not empty. */
export function NoResults({ path, children }: { path: ListPath; children: string }) {
  return (
    <EmptyState title="No results">
      <p>{children}</p>
      <Link to={path} search={{}} className={buttonClass()}>
        Clear filters
      </Link>
    </EmptyState>
  );
}
