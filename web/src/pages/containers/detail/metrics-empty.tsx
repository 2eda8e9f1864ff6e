import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { EditionView } from "../../../../../src/editions/answers.ts";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { runtimeStatusQuery } from "../../../api/queries.ts";
import type { Range } from "../../../../../src/contract/ranges.ts";
import { capitalised } from "../../../format/sentence.ts";
import { editionName } from "../../../format/edition-name.ts";
import { runtimeName } from "../../../format/runtime-name.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { longName } from "./metrics-range.tsx";

/** A range that the edition in force does not grant: which one does, and what is there meanwhile. */
export function RangeNote({ range, required }: { range: Range; required: EditionView["edition"] | undefined }) {
  return (
    <EmptyState
      title={`${capitalised(longName(range))} are part of ${required === undefined ? "another" : `the ${editionName(required)}`} edition`}
    >
      <p className="flex gap-2">
        <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
        Metrics are collected and kept in every edition, so charts are complete from the first day after an upgrade. Every edition shows the
        last 1 h and 6 h.
      </p>
      <Link to="/settings" className={buttonClass()}>
        Edition and licence
      </Link>
    </EmptyState>
  );
}

/** Why there is no data in the range, and what to do. */
export function NoFigures({ container, range }: { container: ContainerRecord; range: Range }) {
  const { data: runtime } = useQuery(runtimeStatusQuery);
  const isUp = container.state === "running" || container.state === "paused";
  if (!isUp) {
    return (
      <EmptyState title="No data">
        <p>It was not running in {longName(range)}. Data appears within 10 seconds after it starts.</p>
      </EmptyState>
    );
  }
  if (runtime !== undefined && !runtime.connected) {
    return (
      <EmptyState title="No data">
        <p>
          {runtimeName(runtime.runtime, runtime.version)} has been unreachable since <Timestamp at={runtime.since} />. Charts resume
          automatically when it is back.
        </p>
        {runtime.error !== null && <p dir="auto">{runtime.error}</p>}
      </EmptyState>
    );
  }
  if (runtime !== undefined && !runtime.capabilities.stats) {
    return (
      <EmptyState title="No metrics from this runtime">
        {runtime.missing.length === 0 ? (
          <p>It denies access to container statistics. If you use a socket proxy, allow GET /containers/*/stats.</p>
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
    <EmptyState title="No metrics yet">
      <p>The first metrics arrive within 10 seconds, then every 10 seconds.</p>
    </EmptyState>
  );
}
