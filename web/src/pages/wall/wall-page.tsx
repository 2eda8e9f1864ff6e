import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { joinWords } from "../../../../src/contract/words.ts";
import { useLive, useNewVersion } from "../../api/live.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { LiveIndicator } from "../../app/live-indicator.tsx";
import { applyTheme, usePreferences } from "../../app/preferences.ts";
import { useIsStale, useIsUnseen } from "../../app/sight.ts";
import { useTitle } from "../../app/use-title.ts";
import { attentionList } from "../../entities/attention/attention-list.ts";
import { foldAttention } from "../../entities/attention/fold.ts";
import { needsSomebody, stateSummary } from "../../entities/attention/state-words.ts";
import { useUnknownHosts } from "../../entities/attention/use-unknown-hosts.ts";
import { useWatched } from "../../entities/attention/use-watched.ts";
import { NOTHING } from "../../entities/attention/watched.ts";
import { pagesOf } from "../../entities/wall/tiles.ts";
import { useStrips } from "../../entities/wall/use-strips.ts";
import { useTiles } from "../../entities/wall/use-tiles.ts";
import { Wall } from "../../entities/wall/wall.tsx";
import { Age } from "../../ui/age.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useNow } from "../../ui/ticker.tsx";

/** As many as a screen of 1920 by 1080 shows in type that is read at four metres; each row above them takes the room of some. */
const TILES_A_PAGE = 48;
const TILES_A_ROW = 5;
const ROWS = 5;
const TURN_MS = 20_000;

/** For a screen on a wall: no frame, large type, dark; it turns its own pages. */
export function WallPage() {
  const host = useChosenHost();
  const { watched, alerts, isPartial, failed } = useWatched(host);
  const isStale = useIsStale();
  const isUnseen = useIsUnseen();
  const isOffline = useLive().phase === "offline";
  const unknownHosts = useUnknownHosts(watched?.containers ?? NOTHING.containers);
  const attention = useMemo(() => (watched === undefined ? [] : attentionList(watched, alerts)), [watched, alerts]);
  const open = useMemo(() => foldAttention(attention.filter(needsSomebody)), [attention]);
  const room = TILES_A_PAGE - TILES_A_ROW * Math.min(open.length, ROWS);
  const tiles = useTiles(watched ?? NOTHING);
  const strips = useStrips(host, watched !== undefined);
  const pages = useMemo(() => pagesOf(tiles, room), [tiles, room]);
  const turned = useNow((nowMs) => Math.floor(nowMs / TURN_MS));
  // Nothing is taken away from under the keys.
  const [held, setHeld] = useState<number>();
  const page = (held ?? turned) % Math.max(pages.length, 1);
  const headline =
    watched === undefined
      ? failed === undefined
        ? "Loading"
        : "No data"
      : stateSummary(watched, attention, { isStale, isOffline, isPartial, isUnseen, unknownHosts }).headline;
  useTitle(headline);
  useDark();
  useNewestVersion();
  const navigate = useNavigate();
  useHotkeys({ Escape: () => void navigate({ to: "/" }) });

  return (
    <div className="flex min-h-dvh flex-col gap-[max(1rem,1.6vw)] bg-bg p-[max(1rem,2vw)] leading-snug text-ink">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <h1 className="max-w-[75vw] text-[max(1.5rem,3.4vw)] leading-tight font-semibold">{headline}</h1>
        <div className="flex items-center gap-4 text-[max(1rem,1.4vw)] text-ink-2 tabular-nums">
          <Clock />
          <LiveIndicator />
          <Link to="/" className="text-xs hover:text-ink hover:underline">
            Exit
          </Link>
        </div>
      </header>
      {failed !== undefined && <p className="text-[max(1rem,1.4vw)] text-down">Could not load {joinWords(failed.names)}.</p>}
      {open.length > 0 && (
        <ul aria-label="Needs attention" className="flex flex-col gap-[max(0.375rem,0.6vw)] text-[max(1.125rem,1.9vw)]">
          {open.slice(0, ROWS).map(({ alert, type, id, status, name, what, why, since }) => (
            <li key={alert?.id ?? `${type} ${id}`} className="flex items-baseline gap-[max(0.5rem,1vw)]">
              <StatusIcon status={status} size={24} className="self-center" />
              <span dir="auto" className="min-w-0 flex-1 truncate max-sm:line-clamp-2 max-sm:whitespace-normal">
                {name !== "" && <bdi className="font-semibold">{name}</bdi>} {what} <span className="text-ink-2">{why}</span>
              </span>
              <span className="text-ink-2 tabular-nums">
                <Age at={since} />
              </span>
            </li>
          ))}
          {open.length > ROWS && <li className="text-ink-2">and {open.length - ROWS} more</li>}
        </ul>
      )}
      <div onFocus={() => setHeld(turned)} onBlur={() => setHeld(undefined)}>
        <Wall groups={pages[page] ?? []} form="panels" hasStrips strips={strips} />
      </div>
      {pages.length > 1 && (
        <p className="mt-auto text-[max(0.875rem,1.2vw)] text-ink-2 tabular-nums">
          Page {page + 1} of {pages.length}
        </p>
      )}
    </div>
  );
}

function Clock() {
  const time = useNow((nowMs) => new Date(nowMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
  return <span>{time}</span>;
}

/** Nobody is there to press the button that loads the version which the server runs now. */
function useNewestVersion(): void {
  const newVersion = useNewVersion();
  useEffect(() => {
    if (newVersion !== undefined) location.reload();
  }, [newVersion]);
}

/** Dark as long as it is open, whatever theme was chosen for the rest of the app. */
function useDark(): void {
  const { theme } = usePreferences();
  useEffect(() => {
    applyTheme("dark");
    return () => applyTheme(theme.get());
  }, [theme]);
}
