import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { heartbeatStatus } from "../../format/heartbeat-status.ts";
import { scheduleWords } from "../../format/schedule.ts";
import { HostName } from "../../app/host-name.tsx";
import { ROW_CLASS } from "../../lists/row-class.ts";
import { SelectBox, SELECTABLE_ROW_CLASS } from "../../lists/select-box.tsx";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { formatDuration } from "../../format/duration.ts";
import { ExpectedTime } from "../../entities/heartbeats/expected-time.tsx";
import { summarizeOutcomes, type RecentOutcome } from "./outcomes.ts";

/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1.2fr)_minmax(0,1fr)_98px_104px] xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1.35fr)_minmax(0,1.2fr)_minmax(0,1.3fr)_64px_98px_104px]";

interface Properties {
  record: HeartbeatRecord;
  index: number;
  withHost?: boolean;
  isSelected: boolean;
  onSelect: (id: number, withRange: boolean) => void;
}

/** One heartbeat. It renders again only when its record is another one. */
export const HeartbeatRow = memo(function HeartbeatRow({ record, index, withHost = false, isSelected, onSelect }: Properties) {
  const status = heartbeatStatus(record);
  const schedule = scheduleWords(record);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-id={record.id}
      className={classNames(isSelected && "bg-accent-soft", COLUMNS, ROW_CLASS, SELECTABLE_ROW_CLASS)}
    >
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        <SelectBox id={record.id} name={record.name} isSelected={isSelected} onSelect={onSelect} />
        <Link
          to="/heartbeats/$id"
          params={{ id: record.id }}
          data-row={index}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{record.name}</Name>
        </Link>
        {withHost && record.agent_id !== null && <HostName of={record} />}
        {record.tags.length > 0 && <Name className="max-w-[40%] text-xs text-ink-3 max-md:hidden">{record.tags.join(", ")}</Name>}
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} withAge />
        </Changed>
      </div>
      <div role="cell" className="truncate text-ink-2 max-md:hidden" title={schedule}>
        {schedule}
      </div>
      <div role="cell" className="truncate max-xl:hidden">
        <ExpectedTime record={record} />
      </div>
      <div role="cell" className="text-right whitespace-nowrap tabular-nums max-xl:hidden">
        <Changed value={record.last_duration_ms}>
          {record.last_duration_ms === null ? <None /> : formatDuration(record.last_duration_ms)}
        </Changed>
      </div>
      <div role="cell" className="max-md:order-4 max-md:justify-self-end">
        <OutcomeBars outcomes={record.recent_outcomes} />
      </div>
      <div role="cell" className="text-right whitespace-nowrap text-ink-2 max-md:text-xs">
        <Changed value={record.last_ping_at}>
          {record.last_ping_at === null ? "never" : <Age at={record.last_ping_at} form="ago" />}
        </Changed>
      </div>
    </div>
  );
});

function None() {
  return (
    <span className="text-ink-3" title="Available once the job reports start and end">
      –
    </span>
  );
}

const COUNT = 20;
const STEP = 5;
const HEIGHT = 16;

/** Height shows it as well as colour: what went well is high, what never came is a stub. */
const BARS: Record<RecentOutcome, { height: number; colour: string }> = {
  success: { height: 16, colour: "fill-ok" },
  timeout: { height: 11, colour: "fill-degraded" },
  failure: { height: 8, colour: "fill-down" },
  missed: { height: 3, colour: "fill-down" },
};

/** How the last runs ended, one bar each, newest at the right. */
function OutcomeBars({ outcomes }: { outcomes: readonly RecentOutcome[] }) {
  const shown = outcomes.slice(-COUNT);
  const words = summarizeOutcomes(shown);
  return (
    <svg
      viewBox={`0 0 ${COUNT * STEP - 2} ${HEIGHT}`}
      width={COUNT * STEP - 2}
      height={HEIGHT}
      role="img"
      aria-label={words}
      className="block"
    >
      <title>{words}</title>
      {Array.from({ length: COUNT - shown.length }, (_, index) => (
        <rect key={`none-${index}`} x={index * STEP} y={HEIGHT - 2} width="3" height="2" className="fill-line-strong" />
      ))}
      {shown.map((outcome, index) => {
        const { height, colour } = BARS[outcome];
        const x = (COUNT - shown.length + index) * STEP;
        return <rect key={x} x={x} y={HEIGHT - height} width="3" height={height} rx="1" className={colour} />;
      })}
    </svg>
  );
}
