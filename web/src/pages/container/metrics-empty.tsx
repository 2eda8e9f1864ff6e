import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { EditionView } from "../../../../src/editions/api.ts";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { runtimeStatusQuery } from "../../api/queries.ts";
import type { Range } from "../../charts/ranges.ts";
import { editionName } from "../../format/edition-name.ts";
import { runtimeName } from "../../format/runtime-name.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { longName } from "./metrics-range.tsx";

/** A range that the edition in force does not grant: which one does, and what is there meanwhile. */
export function RangeNote({ range, required }: { range: Range; required: EditionView["edition"] | undefined }) {
  return (
    <EmptyState
      title={`${capital(longName(range))} come with ${required === undefined ? "another" : `the ${editionName(required)}`} edition`}
    >
      <p className="flex gap-2">
        <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
        Figures are collected and kept in every edition: with that one these charts are full from the first day. The last hour and the last
        6 hours are shown in all of them.
      </p>
      <Link to="/settings" className={buttonClass()}>
        Edition and licence
      </Link>
    </EmptyState>
  );
}

/** Nothing was measured in the range: why, and what to do. */
export function NoFigures({ container, range }: { container: ContainerRecord; range: Range }) {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const isUp = container.state === "running" || container.state === "paused";
  if (!isUp) {
    return (
      <EmptyState title="Nothing was measured">
        <p>It did not run in {longName(range)}. Charts begin within 10 seconds after it starts.</p>
      </EmptyState>
    );
  }
  if (runtime !== undefined && !runtime.connected) {
    return (
      <EmptyState title="Nothing was measured">
        <p>
          {runtimeName(runtime.runtime, runtime.version)} cannot be reached since <Timestamp at={runtime.since} />. Charts go on by
          themselves when it can.
        </p>
        {runtime.error !== null && <p dir="auto">{runtime.error}</p>}
      </EmptyState>
    );
  }
  if (runtime !== undefined && !runtime.capabilities.stats) {
    return (
      <EmptyState title="The runtime does not tell what its containers use">
        {runtime.missing.length === 0 ? (
          <p>It denies reading the statistics of containers. If a socket proxy stands before it, allow GET /containers/*/stats there.</p>
        ) : (
          runtime.missing.map((sentence) => (
            <p key={sentence} dir="auto">
              {sentence}
            </p>
          ))
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No figures yet">
      <p>The first figures arrive within 10 seconds. They are read every 10 seconds from then on.</p>
    </EmptyState>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
