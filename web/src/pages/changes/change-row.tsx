import { Link } from "@tanstack/react-router";
import { memo, useState, type ReactNode } from "react";
import { HostName } from "../../app/host-name.tsx";
import type { Status } from "../../format/status.ts";
import { withLocalTimes } from "../../format/time.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { formatDuration } from "../../format/duration.ts";
import { countOf } from "../../format/number.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { type Change, countStarts, type FoldedChange } from "./fold-changes.ts";
import { KIND_WORDS } from "./kind-words.ts";

interface RowProperties {
  change: Change;
  withHost: boolean;
  /** Where its kind alone is neither good nor bad. */
  status?: Status;
  children?: ReactNode;
}

/** One change: when, what kind, of what, and in a sentence. */
export const ChangeRow = memo(function ChangeRow({ change, withHost, status: given, children }: RowProperties) {
  const { at, kind, what, entity, from, to, record } = change;
  const { word, status: usual = given } = KIND_WORDS[kind];
  const status = kind === "alert_raised" ? alertStatus(what) : usual;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 border-b border-line py-1.5 last:border-b-0 hover:bg-hover md:grid-cols-[8.5rem_10rem_minmax(0,14rem)_minmax(0,1fr)]">
      <span className="text-ink-2">
        <Timestamp at={at} />
      </span>
      <span className="inline-flex items-center gap-2 text-ink-2">
        {status === undefined ? <span className="size-3 shrink-0 max-md:hidden" /> : <StatusIcon status={status} />}
        {word}
      </span>
      <span className="flex min-w-0 items-baseline gap-2 max-md:col-span-2">
        <ChangeLink entity={entity} record={record} />
        {withHost && entity.type !== "incident" && <HostName of={change} />}
      </span>
      <span className="min-w-0 wrap-anywhere max-md:col-span-2">
        {withLocalTimes(what)}
        {from !== null && to !== null && from !== to && (
          <span className="text-ink-2">
            {" "}
            From <bdi>{from}</bdi> to <bdi>{to}</bdi>.
          </span>
        )}
        {children}
      </span>
    </li>
  );
});

/** What one container repeated, such as a crash loop: how often and over how long, and each of it when it is opened. */
export const LoopRow = memo(function LoopRow({ change, repeated, withHost }: Required<FoldedChange> & { withHost: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const { starts, lengthMs, end } = countStarts(repeated);
  const what = `Restarted ${countOf(starts, "time")} in ${formatDuration(lengthMs)}${end === undefined ? "" : `, last ${end}`}.`;
  return (
    <>
      <ChangeRow change={{ ...change, what }} status="down" withHost={withHost}>
        {" "}
        <button
          type="button"
          aria-expanded={isOpen}
          className="cursor-pointer rounded text-accent hover:underline max-md:mt-2 max-md:block"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? "Hide changes" : `Show ${countOf(repeated.length, "change")}`}
        </button>
      </ChangeRow>
      {isOpen && repeated.map((each) => <ChangeRow key={`${each.record.id} ${each.at}`} change={each} withHost={withHost} />)}
    </>
  );
});

/** An alert leads to its own page, all else to the thing itself. */
function ChangeLink({ entity, record }: Pick<Change, "entity" | "record">) {
  const className = "min-w-0 truncate font-[550] hover:underline";
  if (record.kind === "alert" && typeof record.id === "number")
    return (
      <Link to="/alerts/$id" params={{ id: record.id }} className={className}>
        <bdi>{entity.name}</bdi>
      </Link>
    );
  if (entity.type === "incident" && typeof entity.id === "number")
    return (
      <Link to="/status-page/incidents/$id" params={{ id: entity.id }} className={className}>
        <bdi>{entity.name}</bdi>
      </Link>
    );
  return (
    <EntityLink type={entity.type} id={String(entity.id)} className={className}>
      <bdi>{entity.name}</bdi>
    </EntityLink>
  );
}

/** A cross is an outage and nothing else: the sentence says how severe the alert was. */
function alertStatus(what: string): Status {
  return what.includes("(critical)") ? "down" : what.includes("(warning)") ? "degraded" : "idle";
}
