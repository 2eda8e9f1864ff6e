import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { momentQuery } from "../api/moment.ts";
import { useChosenHost } from "../app/hosts.ts";
import { useGoToMoment } from "../app/moment.ts";
import { Page, PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { PastAlert, PastAlerts } from "./past-alerts.tsx";
import { PastChecked, PastCheckedOne } from "./past-checked.tsx";
import { PastContainer } from "./past-container.tsx";
import { PastContainers } from "./past-containers.tsx";
import { PastHost } from "./past-host.tsx";
import { PastHosts } from "./past-hosts.tsx";
import { PastOverview } from "./past-overview.tsx";

/** Pages that are about the past themselves. */
const OF_ANY_TIME: ReadonlySet<string> = new Set(["/changes"]);

/** In the place of a page: how it was at a moment. Nothing can be done there; a page of which the past is not kept says so. */
export function PastPage({ at }: { at: string }) {
  const { routeId, id } = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      return { routeId: match?.routeId ?? "", id: String((match?.params as { id?: unknown } | undefined)?.id) };
    },
    structuralSharing: true,
  });
  if (OF_ANY_TIME.has(routeId)) return <Outlet />;
  const show = PAGES[routeId];
  return show === undefined ? <OnlyNow /> : <Known at={at}>{(moment) => show(moment, id)}</Known>;
}

const PAGES: Readonly<Record<string, (moment: Moment, id: string) => ReactNode>> = {
  "/": (moment) => <PastOverview moment={moment} />,
  "/containers": (moment) => <PastContainers moment={moment} />,
  "/containers/$id": (moment, id) => <PastContainer key={id} moment={moment} id={Number(id)} />,
  "/alerts": (moment) => <PastAlerts moment={moment} />,
  "/alerts/$id": (moment, id) => <PastAlert moment={moment} id={Number(id)} />,
  "/endpoints": (moment) => <PastChecked moment={moment} kind="endpoints" />,
  "/endpoints/$id": (moment, id) => <PastCheckedOne moment={moment} kind="endpoints" id={Number(id)} />,
  "/heartbeats": (moment) => <PastChecked moment={moment} kind="heartbeats" />,
  "/heartbeats/$id": (moment, id) => <PastCheckedOne moment={moment} kind="heartbeats" id={Number(id)} />,
  "/certificates": (moment) => <PastChecked moment={moment} kind="certificates" />,
  "/certificates/$id": (moment, id) => <PastCheckedOne moment={moment} kind="certificates" id={Number(id)} />,
  "/hosts": (moment) => <PastHosts moment={moment} />,
  "/hosts/$id": (moment, id) => <PastHost key={id} moment={moment} id={id} />,
};

function Known({ at, children }: { at: string; children: (moment: Moment) => ReactNode }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(momentQuery(at, useChosenHost()));
  const isOld = error !== null || isPlaceholderData;
  return (
    <Page>
      {error !== null && (
        <ErrorNote what="Could not load this moment." error={error} onRetry={() => void refetch()}>
          Choose another moment, or go back to now.
        </ErrorNote>
      )}
      {data === undefined && error === null && <SkeletonRows count={8} label="Loading the past" />}
      {data !== undefined && error === null && <div className={classNames(isOld && "opacity-60")}>{children(data)}</div>}
    </Page>
  );
}

function OnlyNow() {
  const go = useGoToMoment();
  useTitle("Shown only as it is now");
  return (
    <Page narrow>
      <PageHeader title="This page shows only the present" />
      <p className="mt-2 mb-4 max-w-[68ch] text-ink-2">
        What it shows is not kept for earlier moments. The overview, containers, alerts, endpoints, heartbeats, certificates and hosts can
        be seen as they were.
      </p>
      <Button onClick={() => go(undefined)}>Show this page as it is now</Button>
    </Page>
  );
}
