import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FIRST_PERIOD, isNarrowed, type LogsFilter, PERIODS } from "./filter.ts";

/** Says that nothing was found, and where. */
export function NoLines({ filter, isComplete }: { filter: LogsFilter; isComplete: boolean }) {
  const hasSpan = filter.since !== undefined || filter.until !== undefined;
  const period = PERIODS[filter.period ?? FIRST_PERIOD].label.toLowerCase();
  return (
    <EmptyState title="No lines">
      <p>
        {isNarrowed(filter) ? "No lines match the filters" : "Nothing was written"}
        {hasSpan ? " in this time." : filter.period === "all" ? "." : ` in the ${period}.`}
        {!isComplete && " Not all logs were searched completely."}
      </p>
      {(isNarrowed(filter) || hasSpan) && (
        <Link to="/logs" className={buttonClass()}>
          Clear filters
        </Link>
      )}
    </EmptyState>
  );
}
