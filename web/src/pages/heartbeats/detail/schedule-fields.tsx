import { useId, useMemo } from "react";
import { parseCron } from "../../../../../src/contract/cron.ts";
import { HEARTBEAT_BOUNDS } from "../../../../../src/contract/heartbeat.ts";
import { MINUTE_MS } from "../../../../../src/contract/time.ts";
import { cronWords, secondsWords } from "../../../format/schedule.ts";
import { formatLocal } from "../../../format/time.ts";
import { zoneTime } from "../../../format/zone-time.ts";
import { classNames } from "../../../ui/class-names.ts";
import { useNow } from "../../../ui/ticker.tsx";
import { readLength, type DraftField, type HeartbeatDraft } from "../../../entities/heartbeats/draft.ts";
import { nextTimes } from "../../../entities/heartbeats/next-times.ts";
import { HeartbeatField, type FieldState } from "./heartbeat-field.tsx";

interface Properties {
  kind: HeartbeatDraft["kind"];
  onKind: (kind: HeartbeatDraft["kind"]) => void;
  field: (name: DraftField) => FieldState;
}

const { min, max } = HEARTBEAT_BOUNDS.intervalSeconds;

const KINDS = [
  { value: "interval", name: "Interval" },
  { value: "cron", name: "Cron schedule" },
] as const;

/** When the job runs, and what that means for the next times. */
export function ScheduleFields({ kind, onKind, field }: Properties) {
  const zones = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink-2">Schedule</legend>
      <div className="flex gap-1 pb-3">
        {KINDS.map(({ value, name }) => (
          <label
            key={value}
            className={classNames(
              "flex h-8 cursor-pointer items-center rounded border px-2.5 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent",
              kind === value ? "border-accent bg-accent-soft" : "border-line-strong text-ink-2 hover:bg-hover",
            )}
          >
            <input type="radio" name={`${zones}-kind`} checked={kind === value} onChange={() => onKind(value)} className="sr-only" />
            {name}
          </label>
        ))}
      </div>
      {/* Both take the same height, so that choosing moves nothing below. */}
      <div className="min-h-[132px]">
        {kind === "interval" ? (
          <>
            <HeartbeatField
              label="Interval"
              state={field("interval")}
              placeholder="1 h"
              hint={`From ${secondsWords(min)} to ${secondsWords(max)}, such as 5 min, 1 h 30 min or 1 d`}
            />
            <IntervalPreview interval={field("interval").value} grace={field("grace").value} />
          </>
        ) : (
          <>
            <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
              <HeartbeatField
                label="Cron expression"
                state={field("cron")}
                placeholder="0 3 * * *"
                maxLength={HEARTBEAT_BOUNDS.cronLength}
                className="font-mono text-sm"
                hint={<CronHint cron={field("cron").value} />}
              />
              <HeartbeatField
                label="Time zone"
                state={field("timezone")}
                placeholder="Europe/Berlin"
                list={zones}
                hint="Time zone of the cron expression"
              />
              <datalist id={zones}>
                {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </datalist>
            </div>
            <CronPreview cron={field("cron").value} timezone={field("timezone").value} />
          </>
        )}
      </div>
    </fieldset>
  );
}

/** What a line means, in words where there are some. */
function CronHint({ cron }: { cron: string }) {
  const words = cronWords(cron);
  return "line" in parseCron(cron) && words !== cron ? words : "minute, hour, day of month, month, day of week";
}

function IntervalPreview({ interval, grace }: { interval: string; grace: string }) {
  const seconds = readLength(interval);
  const graceSeconds = readLength(grace);
  const minute = useNow((nowMs) => Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
  if (seconds === undefined || graceSeconds === undefined || seconds + graceSeconds > 10 * 365 * 86_400) return null;
  const expected = new Date(minute + seconds * 1000).toISOString();
  return (
    <p className="mt-2 text-xs text-ink-2 tabular-nums">
      After a ping now, the next one is expected at {formatLocal(expected, minute, "minute")} and late at{" "}
      {formatLocal(new Date(minute + (seconds + graceSeconds) * 1000).toISOString(), minute, "minute")}.
    </p>
  );
}

/** The next 3 runs, here and in the time zone of the schedule. */
function CronPreview({ cron, timezone }: { cron: string; timezone: string }) {
  const minute = useNow((nowMs) => Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
  const times = useMemo(() => {
    const read = parseCron(cron);
    return "line" in read ? nextTimes(read.line, timezone, minute, 3).map((at) => new Date(at).toISOString()) : [];
  }, [cron, timezone, minute]);
  if (times.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-x-3 text-xs text-ink-2 tabular-nums">
      <span>Next:</span>
      <ul className="flex flex-wrap gap-x-4" aria-label="Next 3 runs">
        {times.map((at) => {
          const there = zoneTime(at, timezone);
          return (
            <li key={at}>
              <span className="text-ink">{formatLocal(at, minute, "minute")}</span>
              {there !== undefined && ` (${there} there)`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
