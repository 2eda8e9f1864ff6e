import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { STRIP_STEPS } from "../../../../../src/contract/strip.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../src/contract/time.ts";
import { request } from "../../../api/client.ts";
import { useServerTime } from "../../../app/server-time.ts";
import { drawStrip } from "../../../entities/wall/draw-strip.ts";
import { StripPicture } from "../../../entities/wall/strip-picture.tsx";
import type { TileGroup } from "../../../entities/wall/tiles.ts";
import { countOf } from "../../../format/number.ts";
import { formatLocal } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { Brush } from "./brush.tsx";
import { type Lane, lanesOf } from "./lanes.ts";
import { SHOWN_LANES } from "./shown-lanes.ts";

const STEP_MS = DAY_MS / STRIP_STEPS;
const TICKS = 5;
const SHOWN_ROWS = 50;
const PARTS = [
  { label: "Last 6 h", ms: 6 * HOUR_MS },
  { label: "Last hour", ms: HOUR_MS },
] as const;

interface Part {
  from: string;
  to: string;
}

/** How everything was within the last day, a lane for each group that opens to its things; a part of it comes closer when somebody draws over it. */
export function Timeline({ groups, host }: { groups: readonly TileGroup[]; host: string | undefined }) {
  const [part, setPart] = useState<Part>();
  const [showsAll, setShowsAll] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const serverTime = useServerTime();
  const step = useNow((nowMs) => Math.floor((nowMs - MINUTE_MS) / STEP_MS));
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["alerts", "timeline", host, part ?? step],
    queryFn: ({ signal }) => request("GET /api/v1/overview/strips", { signal, query: { ...part, agent_id: host } }),
    placeholderData: keepPreviousData,
  });
  const lanes = useMemo(() => (data === undefined ? [] : lanesOf(groups, data)), [groups, data]);
  if (data === undefined)
    return error === null ? (
      <div className="h-40" />
    ) : (
      <ErrorNote what="Could not load the timeline." error={error} onRetry={() => void refetch()} />
    );
  const fromMs = Date.parse(data.from);
  const stepMs = data.step_seconds * 1000;
  const steps = lanes[0]?.runs.reduce((sum, run) => sum + run.steps, 0) ?? STRIP_STEPS;
  const toMs = fromMs + steps * stepMs;
  const draw = (runs: Lane["runs"]): ReturnType<typeof drawStrip> =>
    drawStrip(runs, { fromMs, stepMs, nowMs: serverTime(), period: part === undefined ? "Last 24 h" : "In this time" });

  function choose(from: number, to: number): void {
    const nowMs = serverTime();
    const end = Math.min(to, nowMs);
    const start = Math.max(Math.min(from, end - 2 * MINUTE_MS), nowMs - DAY_MS);
    setPart({ from: new Date(start).toISOString(), to: new Date(end).toISOString() });
  }

  return (
    <div className={classNames("pt-2", isPlaceholderData && "opacity-60")}>
      <div className="flex min-h-8 flex-wrap items-center gap-1.5 pb-2">
        <Button pressed={part === undefined} onClick={() => setPart(undefined)}>
          Last 24 h
        </Button>
        {PARTS.map(({ label, ms }) => (
          <Button key={label} onClick={() => choose(serverTime() - ms, serverTime())}>
            {label}
          </Button>
        ))}
        <Link
          to="/changes"
          search={{ since: data.from, until: part === undefined ? undefined : data.to }}
          className="ml-auto text-xs text-ink-2 max-md:my-3 hover:text-ink hover:underline"
        >
          What changed in this time
        </Link>
      </div>
      {error !== null && <ErrorNote what="Could not load this part of the timeline." error={error} onRetry={() => void refetch()} />}
      <div className="relative">
        <ul aria-label="Timeline">
          {lanes.slice(0, showsAll ? undefined : SHOWN_LANES).map((lane) => (
            <LaneRows
              key={lane.key}
              lane={lane}
              draw={draw}
              steps={steps}
              isOpen={open.has(lane.key)}
              onToggle={() =>
                setOpen((known) => new Set(known.has(lane.key) ? [...known].filter((key) => key !== lane.key) : [...known, lane.key]))
              }
            />
          ))}
        </ul>
        <Brush className="absolute inset-y-0 right-0 left-32 sm:left-52" fromMs={fromMs} toMs={toMs} onChoose={choose} />
      </div>
      <p aria-hidden className="ml-32 flex justify-between pt-1 text-xs text-ink-2 tabular-nums sm:ml-52">
        {Array.from({ length: TICKS }, (_, index) => (
          <span key={index} className={classNames("whitespace-nowrap", index % 2 === 1 && "max-sm:hidden")}>
            {formatLocal(new Date(fromMs + ((toMs - fromMs) * index) / (TICKS - 1)).toISOString(), toMs, "minute")}
          </span>
        ))}
      </p>
      {lanes.length > SHOWN_LANES && (
        <Button kind="quiet" className="mt-1 -ml-2.5" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${countOf(lanes.length, "group")}`}
        </Button>
      )}
    </div>
  );
}

interface LaneProperties {
  lane: Lane;
  draw: (runs: Lane["runs"]) => ReturnType<typeof drawStrip>;
  steps: number;
  isOpen: boolean;
  onToggle: () => void;
}

function LaneRows({ lane, draw, steps, isOpen, onToggle }: LaneProperties) {
  const strip = draw(lane.runs);
  return (
    <li className="border-b border-line last:border-b-0">
      <div className={ROW}>
        <button
          type="button"
          aria-expanded={isOpen}
          title={strip.words}
          onClick={onToggle}
          className="flex min-w-0 items-center gap-1 rounded text-left hover:text-accent"
        >
          <ChevronRight size={14} aria-hidden className={classNames("shrink-0 text-ink-3", isOpen && "rotate-90")} />
          <bdi className="truncate">{lane.name}</bdi>
        </button>
        <StripPicture strip={strip} steps={steps} className="h-4 w-full" />
      </div>
      {isOpen && (
        <ul>
          {lane.rows.slice(0, SHOWN_ROWS).map(({ tile, runs }) => {
            const drawn = draw(runs);
            return (
              <li key={`${tile.type} ${tile.id}`} className={ROW}>
                <span title={drawn.words} className="flex min-w-0 items-center gap-2 pl-5 text-xs">
                  <StatusIcon status={tile.status} size={10} />
                  <EntityLink type={tile.type} id={String(tile.id)} className="relative z-10 min-w-0 truncate hover:underline">
                    <bdi>{tile.name}</bdi>
                  </EntityLink>
                </span>
                <StripPicture strip={drawn} steps={steps} className="h-3 w-full" />
              </li>
            );
          })}
          {lane.rows.length > SHOWN_ROWS && <li className="pb-1 pl-5 text-xs text-ink-2">and {lane.rows.length - SHOWN_ROWS} more</li>}
        </ul>
      )}
    </li>
  );
}

const ROW =
  "grid min-h-7 pointer-coarse:min-h-10 grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-x-2 sm:grid-cols-[12.5rem_minmax(0,1fr)]";
