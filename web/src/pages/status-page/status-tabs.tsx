import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Tab, Tabs } from "../../ui/tabs.tsx";

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
export function StatusTabs() {
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
