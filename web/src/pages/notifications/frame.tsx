import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Page, PageHeader } from "../../app/page.tsx";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { Tab, Tabs } from "../../ui/tabs.tsx";

/** A tab of the notifications: a line about it, its actions, and its content. */
export function NotificationsFrame({ note, action, children }: { note?: ReactNode; action?: ReactNode; children: ReactNode }) {
  useRowKeys();
  return (
    <Page>
      <PageHeader title="Notifications" note={note}>
        {action}
      </PageHeader>
      <NotificationsTabs />
      {children}
    </Page>
  );
}

const ROOT = "/notifications";

/** The parts of how alerts reach people and programs. */
function NotificationsTabs() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/+$/, "") });
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone not all of them fit.
  useEffect(() => {
    tabs.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  return (
    <div ref={tabs} className="mt-3">
      <Tabs label="Notifications">
        {/* Its address begins those of the others. */}
        <Tab
          to="/notifications"
          activeOptions={{ exact: true, includeSearch: false }}
          current={path === ROOT || path.startsWith(`${ROOT}/channels`)}
        >
          Channels
        </Tab>
        <Tab to="/notifications/routing" current={path === `${ROOT}/routing`}>
          Routing
        </Tab>
        <Tab to="/notifications/silences" current={path === `${ROOT}/silences`}>
          Silences
        </Tab>
        <Tab to="/notifications/webhooks" current={path === `${ROOT}/webhooks`}>
          Webhooks
        </Tab>
        <Tab to="/notifications/escalation" current={path === `${ROOT}/escalation`}>
          Escalation
        </Tab>
      </Tabs>
    </div>
  );
}
