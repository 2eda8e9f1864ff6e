import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { ExternalLink, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import { componentsQuery } from "../../api/status-components.ts";
import { statusSettingsQuery } from "../../api/status-settings.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import { Preview } from "./preview.tsx";
import { onPage, pageSentence, pageWords } from "./words.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

/** What all tabs of the status page have around them: how it is, what can be added, and the page itself beside them. */
export function StatusLayout() {
  useRowKeys();
  const { data: settings } = useQuery(statusSettingsQuery);
  const { isPending } = useQuery(componentsQuery);
  return (
    <Page>
      <PageHeader title="Status page" note={<PageNote />}>
        {settings?.published !== false && (
          // Its place is kept until it is known whether there is a page: nothing below moves then.
          <a
            href="/status/"
            target="_blank"
            rel="noreferrer"
            className={buttonClass("plain", settings === undefined ? "invisible max-sm:flex-1" : "max-sm:flex-1")}
          >
            Open the page <ExternalLink size={14} aria-hidden />
            <span className="sr-only">(in a new tab)</span>
          </a>
        )}
        <TabAction />
      </PageHeader>
      <StatusTabs />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 xl:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="min-w-0">
          <Outlet />
        </div>
        {/* On a phone it stands below the components, which would push it down. */}
        {!isPending && <Preview />}
      </div>
    </Page>
  );
}

function PageNote() {
  const { data } = useQuery(componentsQuery);
  const { data: settings } = useQuery(statusSettingsQuery);
  if (data === undefined) return <Skeleton className="inline-block h-4 w-56 max-w-full" />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {onPage(data.components).length > 0 && <StatusIcon status={pageWords(data.page_status, data.components).status} />}
      {pageSentence(data.page_status, data.components)}
      {settings?.published === false && <span>· not published</span>}
    </span>
  );
}

/** What is added on the tab that is open. */
function TabAction() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/+$/, "") });
  // An incident's page keeps it: the focus returns to it once the form that it opened is published.
  const isIncident = path.startsWith("/status-page/incidents/");
  const className = buttonClass(isIncident ? "plain" : "primary", "max-sm:flex-1");
  switch (isIncident ? "/status-page/incidents" : path) {
    case "/status-page":
      return (
        <>
          <Link
            to="/status-page/incidents"
            search={{ create: "yes" }}
            resetScroll={false}
            className={buttonClass("plain", "max-sm:flex-1")}
          >
            Report incident
          </Link>
          <Link to="/status-page" search={{ create: "group" }} resetScroll={false} className={buttonClass("plain", "max-sm:flex-1")}>
            Add group
          </Link>
          <Link to="/status-page" search={{ create: "component" }} resetScroll={false} className={className}>
            <Plus size={16} aria-hidden /> Add component
          </Link>
        </>
      );
    case "/status-page/incidents":
      return (
        <Link to="/status-page/incidents" search={{ create: "yes" }} resetScroll={false} className={className}>
          <Plus size={16} aria-hidden /> Report incident
        </Link>
      );
    case "/status-page/maintenance":
      return (
        <Link
          to="/status-page/maintenance"
          search={(search) => ({ ...search, create: "yes" as const })}
          resetScroll={false}
          className={className}
        >
          <Plus size={16} aria-hidden /> Plan maintenance
        </Link>
      );
    default:
      return null;
  }
}

/** The address of the first tab begins those of all others. */
const EXACT = { exact: true, includeSearch: false };
const TABS = [
  { to: "/status-page", label: "Components" },
  { to: "/status-page/incidents", label: "Incidents" },
  { to: "/status-page/maintenance", label: "Maintenance" },
  { to: "/status-page/subscribers", label: "Subscribers" },
  { to: "/status-page/settings", label: "Settings" },
] as const;

/** The parts of the status page. */
function StatusTabs() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/+$/, "") });
  const current = TABS.findLastIndex(({ to }) => path === to || path.startsWith(`${to}/`));
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone not all of them fit.
  useEffect(() => {
    tabs.current?.querySelectorAll("a")[current]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <div ref={tabs} className="mt-3">
      <Tabs label="Status page">
        {TABS.map(({ to, label }, index) => (
          <Tab key={to} to={to} activeOptions={EXACT} current={index === current}>
            {label}
          </Tab>
        ))}
      </Tabs>
    </div>
  );
}
