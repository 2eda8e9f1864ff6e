import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, type ReactNode } from "react";
import type { MaintenanceRecord } from "../../../../../src/alerting/suppression/answers.ts";
import { maintenanceQuery, silencesQuery } from "../../../api/silences.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { NotificationsFrame } from "../frame.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import type { SilenceSearch } from "../../../entities/notifications/search.ts";
import { SilenceRow } from "./silence-row.tsx";
import { WindowRow } from "../../../entities/silences/window-row.tsx";

const route = getRouteApi("/notifications/silences");
const SilenceDialog = lazy(() => import("./silence-dialog.tsx").then((module) => ({ default: module.SilenceDialog })));
const WindowDialog = lazy(() =>
  import("../../../entities/silences/window-dialog.tsx").then((module) => ({ default: module.WindowDialog })),
);

/** So many of those that are over are shown. */
const PAST = 20;
const NO_FORM: SilenceSearch = {
  create: undefined,
  source: undefined,
  severity: undefined,
  entity: undefined,
  event: undefined,
  maintenance: undefined,
};

/** What keeps alerts quiet: silences, and maintenance windows. */
export function SilencesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const silences = useQuery(silencesQuery);
  const windows = useQuery(maintenanceQuery);
  const active = silences.data?.silences.filter(({ status }) => status === "active").length ?? 0;
  useTitle(active === 0 ? "Silences" : `Silences (${active} active)`);
  const edited = windows.data?.maintenance.find(({ id }) => String(id) === search.maintenance);

  function openForm(form: SilenceSearch | undefined): void {
    void navigate({ search: (current) => ({ ...current, ...NO_FORM, ...form }), replace: form === undefined, resetScroll: false });
  }

  return (
    <NotificationsFrame
      note={silences.data && active > 0 && `${countOf(active, "active silence")}`}
      action={
        <>
          <Button className="max-sm:flex-1" onClick={() => openForm({ maintenance: "yes" })}>
            Plan maintenance
          </Button>
          <Button kind="primary" className="max-sm:flex-1" onClick={() => openForm({ create: "yes" })}>
            <Plus size={16} aria-hidden /> New silence
          </Button>
        </>
      }
    >
      <Silences />
      <Windows onEdit={(id) => openForm({ maintenance: String(id) })} />
      <Suspense>
        {search.create !== undefined && <SilenceDialog proposed={search} onClose={() => openForm(undefined)} />}
        {(search.maintenance === "yes" || edited !== undefined) && (
          <WindowDialog key={edited?.id ?? "new"} saved={edited} onClose={() => openForm(undefined)} />
        )}
      </Suspense>
    </NotificationsFrame>
  );
}

function Silences() {
  const query = useQuery(silencesQuery);
  const silences = query.data?.silences ?? [];
  const standing = silences.filter(({ status }) => status === "active" || status === "pending");
  const past = silences.filter(({ status }) => status === "expired" || status === "cancelled");
  return (
    <Section title="Silences">
      <Reading what="silences" query={query}>
        Active silences still apply.
      </Reading>
      {query.data !== undefined && standing.length === 0 && (
        <p className="max-w-[80ch] py-3 text-ink-2">
          No active silences. A silence stops notifications for a while, such as during a known problem or a deployment. Alerts are still
          recorded, and sent when the silence ends if the problem persists.
        </p>
      )}
      <ul aria-label="Silences">
        {standing.map((silence) => (
          <SilenceRow key={silence.id} silence={silence} />
        ))}
      </ul>
      {past.length > 0 && (
        <Past count={past.length}>
          <ul aria-label="Past silences">
            {past.slice(0, PAST).map((silence) => (
              <SilenceRow key={silence.id} silence={silence} />
            ))}
          </ul>
        </Past>
      )}
    </Section>
  );
}

function Windows({ onEdit }: { onEdit: (id: number) => void }) {
  const query = useQuery(maintenanceQuery);
  const windows = query.data?.maintenance ?? [];
  const standing = windows.filter(({ status }) => status !== "ended");
  const past = windows.filter(({ status }) => status === "ended");
  const rowOf = (window: MaintenanceRecord) => <WindowRow key={window.id} window={window} onEdit={() => onEdit(window.id)} />;
  return (
    <Section title="Maintenance windows">
      <Reading what="maintenance windows" query={query}>
        They still start and end as planned.
      </Reading>
      {query.data !== undefined && standing.length === 0 && (
        <p className="max-w-[80ch] py-3 text-ink-2">
          No planned maintenance. During a window, alerts of the chosen containers, endpoints or hosts are recorded but not sent, and
          escalation pauses.
        </p>
      )}
      <ul aria-label="Maintenance windows">{standing.map(rowOf)}</ul>
      {past.length > 0 && (
        <Past count={past.length}>
          <ul aria-label="Past maintenance windows">{past.slice(0, PAST).map(rowOf)}</ul>
        </Past>
      )}
    </Section>
  );
}

/** Past silences, on request. */
function Past({ count, children }: { count: number; children: ReactNode }) {
  return (
    <details className="py-2">
      <Summary>Ended ({count > PAST ? `the last ${PAST} of ${formatCount(count)}` : count})</Summary>
      <div className="mt-1 border-t border-line">{children}</div>
    </details>
  );
}
