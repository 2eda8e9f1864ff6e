import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { openIncidentsQuery, pastIncidentsQuery } from "../../../api/status-incidents.ts";
import { useTitle } from "../../../app/use-title.ts";
import { Section } from "../../../ui/section.tsx";
import { MoreRows } from "../../../ui/more-rows.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { useComponentName } from "../../../entities/status-page/use-component-names.ts";
import { IncidentRow } from "./incident-row.tsx";

const route = getRouteApi("/status-page/incidents");
const NewIncidentDialog = lazy(() => import("./incident-dialog.tsx").then((module) => ({ default: module.NewIncidentDialog })));

/** What visitors see: what is open, and what is over. */
export function IncidentsTab() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const open = useQuery(openIncidentsQuery);
  const nameOf = useComponentName();
  const incidents = open.data?.incidents ?? [];
  useTitle(incidents.length === 0 ? "Incidents" : `Incidents (${incidents.length} open)`);
  return (
    <>
      <Section title={incidents.length === 0 ? "Open" : `Open (${incidents.length})`}>
        <Reading what="incidents" query={open}>
          Visitors still see them.
        </Reading>
        {open.data !== undefined && incidents.length === 0 && (
          <p className="max-w-[80ch] py-3 text-ink-2">
            No open incidents. Report one to inform visitors: it appears at the top of the page, and subscribers get an email. Components
            can also create incidents automatically from alerts.
          </p>
        )}
        <ul aria-label="Open incidents">
          {incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} nameOf={nameOf} />
          ))}
        </ul>
      </Section>
      <Past nameOf={nameOf} />
      {create !== undefined && (
        <Suspense>
          <NewIncidentDialog
            onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
            onCreated={({ id }) => void navigate({ to: "/status-page/incidents/$id", params: { id }, replace: true })}
          />
        </Suspense>
      )}
    </>
  );
}

function Past({ nameOf }: { nameOf: (id: number) => string }) {
  const query = useInfiniteQuery(pastIncidentsQuery);
  const incidents = query.data?.pages.flatMap((page) => page.incidents) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <Section title={total === 0 ? "Resolved" : `Resolved (${total})`}>
      <Reading what="past incidents" query={query}>
        Nothing was lost.
      </Reading>
      {query.data !== undefined && incidents.length === 0 && <p className="py-3 text-ink-2">No past incidents.</p>}
      <ul aria-label="Past incidents">
        {incidents.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} nameOf={nameOf} />
        ))}
      </ul>
      {query.hasNextPage && (
        <MoreRows
          what="incident"
          hidden={Math.max(total - incidents.length, 1)}
          isReading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </Section>
  );
}
