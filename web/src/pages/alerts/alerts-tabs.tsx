import { useRouterState } from "@tanstack/react-router";
import { Tab, Tabs } from "../../ui/tabs.tsx";

/** The address of the first tab begins those of all others. */
const EXACT = { exact: true, includeSearch: false };

/** The parts of alerting. */
export function AlertsTabs() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <div className="mt-3">
      <Tabs label="Alerts">
        <Tab to="/alerts" activeOptions={EXACT} current={path === "/alerts"}>
          Active
        </Tab>
        <Tab to="/alerts/history" activeOptions={EXACT} current={path.startsWith("/alerts/history")}>
          History
        </Tab>
      </Tabs>
    </div>
  );
}
