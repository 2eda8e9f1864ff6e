import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { lazy, Suspense } from "react";
import { DAY_MS } from "../../../../../src/contract/time.ts";
import type { MaintenanceRecord } from "../../../../../src/alerting/suppression/answers.ts";
import { maintenanceQuery } from "../../../api/silences.ts";
import { useTitle } from "../../../app/use-title.ts";
import { formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { WindowRow } from "../../../entities/silences/window-row.tsx";
import { addMonths, monthName, monthOf, monthText, readMonth } from "../calendar.ts";
import type { MaintenanceSearch } from "../search.ts";
import { MonthGrid } from "./month-grid.tsx";

const route = getRouteApi("/status-page/maintenance");
const WindowDialog = lazy(() =>
  import("../../../entities/silences/window-dialog.tsx").then((module) => ({ default: module.WindowDialog })),
);

/** So many of those that are over are listed; the calendar has all. */
const PAST = 20;

/** What is planned, by month and as a list. */
export function MaintenanceTab() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(maintenanceQuery);
  // The day turns at most once while one looks.
  const todayMs = useNow((nowMs) => new Date(nowMs).setHours(0, 0, 0, 0));
  const windows = query.data?.maintenance ?? [];
  const month = readMonth(search.month) ?? monthOf(new Date(todayMs));
  const edited = search.edit === undefined ? undefined : windows.find(({ id }) => String(id) === search.edit);
  const planned = windows.filter(({ status }) => status !== "ended");
  useTitle(planned.length === 0 ? "Maintenance" : `Maintenance (${formatCount(planned.length)})`);

  function go(change: MaintenanceSearch, replace = false): void {
    void navigate({
      search: (current) => ({ ...current, create: undefined, day: undefined, edit: undefined, ...change }),
      replace,
      resetScroll: false,
    });
  }

  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-1">
        <h2 className="mr-2 text-lg font-semibold" aria-live="polite">
          {monthName(month)}
        </h2>
        <IconButton icon={ChevronLeft} label="Month before" onClick={() => go({ month: monthText(addMonths(month, -1)) })} />
        <IconButton icon={ChevronRight} label="Month after" onClick={() => go({ month: monthText(addMonths(month, 1)) })} />
        <Button kind="quiet" onClick={() => go({ month: undefined })}>
          Today
        </Button>
        <p className="ml-auto text-xs text-ink-2">Times in {zoneWords(todayMs)}</p>
      </div>
      <MonthGrid
        key={monthText(month)}
        month={month}
        windows={windows}
        nowMs={todayMs}
        onDay={(day) => go({ create: "yes", day: dayText(day) })}
        onWindow={(id) => go({ edit: String(id) })}
      />
      <Reading what="maintenance windows" query={query}>
        They still start and end as planned.
      </Reading>
      <Lists windows={windows} isRead={query.data !== undefined} onEdit={(id) => go({ edit: String(id) })} />
      {(search.create !== undefined || edited !== undefined) && (
        <Suspense>
          <WindowDialog
            key={edited?.id ?? search.day ?? "new"}
            saved={edited}
            startMs={startOf(search.day, todayMs)}
            onClose={() => go({}, true)}
          />
        </Suspense>
      )}
    </>
  );
}

function Lists({ windows, isRead, onEdit }: { windows: readonly MaintenanceRecord[]; isRead: boolean; onEdit: (id: number) => void }) {
  const planned = windows.filter(({ status }) => status !== "ended");
  const past = windows.filter(({ status }) => status === "ended");
  return (
    <>
      <Section title="Active and upcoming">
        {isRead && planned.length === 0 && (
          <p className="max-w-[80ch] py-3 text-ink-2">
            No planned maintenance. A window with components is announced on the page and to subscribers. It starts and ends automatically.
            During it, alerts of the linked monitors are recorded but not sent.
          </p>
        )}
        <ul aria-label="Active and upcoming">
          {planned.map((window) => (
            <WindowRow key={window.id} window={window} onEdit={() => onEdit(window.id)} />
          ))}
        </ul>
      </Section>
      {past.length > 0 && (
        <Section title={past.length > PAST ? `Ended (the last ${PAST} of ${formatCount(past.length)})` : `Ended (${past.length})`}>
          <ul aria-label="Ended">
            {past.slice(0, PAST).map((window) => (
              <WindowRow key={window.id} window={window} onEdit={() => onEdit(window.id)} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** `Europe/Berlin (GMT+1)`. */
function zoneWords(atMs: number): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZoneName: "shortOffset" });
  const offset = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value;
  const zone = format.resolvedOptions().timeZone;
  return offset === undefined || zone === "UTC" ? zone : `${zone} (${offset})`;
}

function dayText(day: Date): string {
  return `${monthText(monthOf(day))}-${String(day.getDate()).padStart(2, "0")}`;
}

/** A day that is to come begins its window at ten in the evening, when few are there; today it is the next full hour. */
function startOf(day: string | undefined, todayMs: number): number | undefined {
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T22:00`);
  return Number.isNaN(at) || at < todayMs + DAY_MS ? undefined : at;
}
