import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, History } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { DAY_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { editionQuery } from "../api/queries.ts";
import { momentQuery } from "../api/moment.ts";
import { useChosenHost } from "../app/hosts.ts";
import { useGoToMoment } from "../app/moment.ts";
import { useServerTime } from "../app/server-time.ts";
import { editionName } from "../format/edition-name.ts";
import { fromLocalField, toLocalField } from "../format/local-time.ts";
import { formatExact } from "../format/time.ts";
import { Button } from "../ui/button.tsx";
import { INPUT_CLASS } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { chartsEndMs } from "./charts-end.ts";

const REACH_MS = 90 * DAY_MS;
const STEP_MS = 15 * MINUTE_MS;
/** A slider that is being moved is followed once it rests for so long, */
const REST_MS = 150;
/** and a moment that is being typed: it has several keys, and each of them makes another moment. */
const TYPED_REST_MS = 600;

interface Properties {
  at: string;
  /** Somebody went into the past by a key, and continues by keys. */
  byKey: boolean;
}

/** Which moment the app shows, and how to get to another: slider, fields, the changes on both sides, and back to now. */
export function TimeBar({ at, byKey }: Properties) {
  const go = useGoToMoment();
  const host = useChosenHost();
  const { data, isPlaceholderData } = useQuery(momentQuery(at, host));
  const known = isPlaceholderData ? undefined : data;
  const [previous, next] = [known?.previous_change_at ?? null, known?.next_change_at ?? null];
  return (
    <div
      role="toolbar"
      aria-label="Time machine"
      className="sticky top-13 z-20 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b-2 border-accent bg-accent-soft px-4 py-2 sm:px-6"
    >
      <span className="inline-flex items-center gap-2 font-[550]">
        <History size={16} aria-hidden className="text-accent" />
        <span className="max-lg:sr-only">Showing the state at</span>
      </span>
      <MomentField at={at} byKey={byKey} />
      <div className="flex">
        <IconButton
          icon={ChevronLeft}
          label="Previous change"
          aria-disabled={previous === null}
          onClick={() => previous !== null && go(previous)}
        />
        <IconButton icon={ChevronRight} label="Next change" aria-disabled={next === null} onClick={() => next !== null && go(next)} />
      </div>
      <MomentSlider at={at} />
      <Link to="/changes" search={{ since: at, until: undefined }} className="text-ink-2 hover:text-ink hover:underline max-sm:order-1">
        What changed since
      </Link>
      <Button kind="primary" onClick={() => go(undefined)} className="max-sm:order-1 max-sm:ml-auto">
        Back to now
      </Button>
      {data !== undefined && !data.is_known && <NothingKnown since={data.known_since} />}
      <ChartsEnd at={at} />
    </div>
  );
}

/** Keeps what is typed as it is: a moment that came back after each key would begin its numbers again. */
function MomentField({ at, byKey }: Properties) {
  const go = useGoToMoment();
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (byKey) field.current?.focus();
  }, [byKey]);

  function follow(text: string | undefined): void {
    clearTimeout(timer.current);
    const chosen = text === undefined ? undefined : fromLocalField(text);
    if (chosen !== undefined && chosen !== at) go(chosen, { replace: true });
  }

  return (
    <input
      ref={field}
      type="datetime-local"
      aria-label="Moment"
      className={`${INPUT_CLASS} max-w-52 max-sm:min-w-48 max-sm:flex-1`}
      value={typed ?? toLocalField(Date.parse(at))}
      onChange={({ target: { value } }) => {
        setTyped(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => follow(value), TYPED_REST_MS);
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") follow(typed);
        // It leads back wherever nothing is typed, and no moment has a letter m.
        if (key !== "m") return;
        clearTimeout(timer.current);
        setTyped(undefined);
        go(undefined);
      }}
      onBlur={() => {
        follow(typed);
        setTyped(undefined);
      }}
    />
  );
}

/** 90 days from left to right; its right end is the present. */
function MomentSlider({ at }: { at: string }) {
  const go = useGoToMoment();
  const serverTime = useServerTime();
  const [nowMs] = useState(serverTime);
  const atMs = Date.parse(at);
  const [movedTo, setMovedTo] = useState<number>();
  useEffect(() => {
    if (movedTo === undefined) return undefined;
    const timer = setTimeout(() => {
      setMovedTo(undefined);
      go(new Date(Math.min(movedTo, serverTime())).toISOString(), { replace: true });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [movedTo, go, serverTime]);
  const shownMs = movedTo ?? atMs;
  return (
    <span className="flex min-w-40 flex-1 items-center gap-2 text-xs text-ink-2 max-sm:order-2 max-sm:basis-full">
      <span className="whitespace-nowrap">90 days ago</span>
      <input
        type="range"
        aria-label="Moment within 90 days"
        aria-valuetext={formatExact(new Date(shownMs).toISOString())}
        min={nowMs - REACH_MS}
        max={nowMs}
        step={STEP_MS}
        value={shownMs}
        onChange={(event) => setMovedTo(Number(event.target.value))}
        className="h-8 min-w-0 flex-1 accent-accent"
      />
      <span>now</span>
    </span>
  );
}

/** Where the charts of the edition in force end, at a moment before it. States and alerts are not limited by it. */
function ChartsEnd({ at }: { at: string }) {
  const { data: view } = useQuery(editionQuery);
  const serverTime = useServerTime();
  const endMs = view === undefined ? undefined : chartsEndMs(view.history_ranges, serverTime());
  if (view === undefined || endMs === undefined || Date.parse(at) >= endMs) return null;
  return (
    <p className="basis-full text-ink-2 max-sm:order-3">
      Charts of CPU, memory and network reach back to <Timestamp at={new Date(endMs).toISOString()} precision="minute" /> in the{" "}
      {editionName(view.edition)} edition.
    </p>
  );
}

function NothingKnown({ since }: { since: string | null }) {
  return (
    <p role="status" className="basis-full">
      {since === null ? (
        "Nothing is known yet."
      ) : (
        <>
          Nothing is known of this moment. The first one that is: <Timestamp at={since} />.
        </>
      )}
    </p>
  );
}
