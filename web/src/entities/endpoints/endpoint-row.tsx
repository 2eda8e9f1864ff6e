import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import { endpointUptimeQuery } from "../../api/endpoint-queries.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { endpointSource, observedError, shownEndpointStatus } from "../../format/endpoint-status.ts";
import { formatMilliseconds } from "../../format/milliseconds.ts";
import { useIsUnseen } from "../../app/sight.ts";
import { HostName } from "../../app/host-name.tsx";
import { ROW_CLASS } from "../../lists/row-class.ts";
import { SelectBox, SELECTABLE_ROW_CLASS } from "../../lists/select-box.tsx";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { Percent } from "../../ui/percent.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { UptimeBars } from "../../ui/uptime-bars.tsx";
import { COLUMN_CLASSES } from "./columns.ts";
import { sparkTop } from "./spark-top.ts";

/** The columns of the list, more of them the wider the screen, or those that were chosen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[var(--tracks-medium,minmax(0,1.2fr)_minmax(0,1.6fr)_132px_72px_72px)] xl:grid-cols-[var(--tracks-wide,minmax(0,1.2fr)_minmax(0,1.3fr)_minmax(0,1.6fr)_132px_72px_72px)] min-[90rem]:grid-cols-[var(--tracks-wide,minmax(0,1.3fr)_minmax(0,1.05fr)_minmax(0,1.5fr)_132px_72px_160px_72px)]";

const NO_POINTS: readonly null[] = [];

interface Properties {
  endpoint: EndpointRecord;
  index: number;
  /** The response times of its last checks; undefined while that is not read. */
  points: readonly (number | null)[] | undefined;
  withBars: boolean;
  withHost?: boolean;
  isSelected?: boolean;
  /** Undefined where there is nothing to select for. */
  onSelect?: ((id: number, withRange: boolean) => void) | undefined;
}

/** One endpoint. It renders again only when its record or its line is another one. */
export const EndpointRow = memo(function EndpointRow(properties: Properties) {
  const { endpoint, index, points = NO_POINTS, withBars, withHost = false, isSelected = false, onSelect } = properties;
  const short = shownEndpointStatus(endpoint, useIsUnseen()("endpoint", endpoint.agent_id));
  // Where it is not well, the row says why in a sentence, after the kind of failure.
  const error = observedError(endpoint);
  const status =
    short.status === "ok" || short.status === "idle" || error === null
      ? short
      : { ...short, cause: /^HTTP \d+$/.test(short.cause ?? "") ? error : `${short.cause}: ${error}` };
  const time = formatMilliseconds(endpoint.last_response_time_ms);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-id={endpoint.id}
      className={classNames(isSelected && "bg-accent-soft", COLUMNS, ROW_CLASS, onSelect !== undefined && SELECTABLE_ROW_CLASS)}
    >
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        {onSelect !== undefined && <SelectBox id={endpoint.id} name={endpoint.name} isSelected={isSelected} onSelect={onSelect} />}
        <Link
          to="/endpoints/$id"
          params={{ id: endpoint.id }}
          data-row={index}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{endpoint.name}</Name>
        </Link>
        {withHost && <HostName of={endpoint} />}
      </div>
      <div
        role="cell"
        className={classNames("text-ink-2", COLUMN_CLASSES.target)}
        title={`${endpoint.target} · ${endpointSource(endpoint)}`}
      >
        {endpoint.name === endpoint.target ? <Name>{endpointSource(endpoint)}</Name> : <Target target={endpoint.target} />}
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${short.word} ${short.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div
        role="cell"
        className={classNames(
          "flex items-center justify-end gap-2 max-md:order-4 max-md:text-xs max-md:text-ink-2",
          COLUMN_CLASSES.response,
        )}
      >
        <span className="max-md:hidden [&>svg]:text-ink-3">
          <Sparkline values={points} max={sparkTop(points)} width={60} height={20} />
        </span>
        <span className="min-w-14 text-right max-md:min-w-0 whitespace-nowrap tabular-nums">{time}</span>
      </div>
      <div role="cell" className={classNames("text-right max-md:hidden", COLUMN_CLASSES.uptime)}>
        <Changed value={endpoint.uptime_24h}>
          <Percent value={endpoint.uptime_24h} />
        </Changed>
      </div>
      {withBars && (
        <div role="cell">
          <DayBars id={endpoint.id} />
        </div>
      )}
      <div role="cell" className={classNames("text-right whitespace-nowrap text-ink-2 max-md:text-xs", COLUMN_CLASSES.since)}>
        <Age at={endpoint.inactive_since ?? endpoint.status_since} />
      </div>
    </div>
  );
});

/** Its last 90 days, read when the row comes into view. */
function DayBars({ id }: { id: number }) {
  const { data } = useQuery(endpointUptimeQuery(id));
  return <div className="h-6 [&>svg]:h-5">{data !== undefined && <UptimeBars days={data.days} />}</div>;
}

/** A target on one line without `https://`. Where space is short its host gives way: what differs is mostly at the end. */
function Target({ target }: { target: string }) {
  const [, host = target, path = ""] = /^(?:https:\/\/)?([^/]*)(.*)$/.exec(target) ?? [];
  return (
    <bdi className="flex min-w-0 text-left">
      <span className="truncate">{host}</span>
      <span className="max-w-3/4 shrink-0 truncate">{path}</span>
    </bdi>
  );
}
