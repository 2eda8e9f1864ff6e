import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page, PageHeader } from "../../app/page.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";

/** A tab of the settings. */
export function SettingsFrame({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/+$/, "") });
  return (
    <Page narrow={!wide}>
      <PageHeader title="Settings" />
      <div className="mt-3">
        <Tabs label="Settings">
          {/* Its address begins that of the other. */}
          <Tab to="/settings" activeOptions={{ exact: true, includeSearch: false }} current={path === "/settings"}>
            General
          </Tab>
          <Tab to="/settings/assistants" current={path === "/settings/assistants"}>
            Assistants
          </Tab>
          <Tab to="/settings/audit" current={path === "/settings/audit"}>
            Audit log
          </Tab>
        </Tabs>
      </div>
      {children}
    </Page>
  );
}
