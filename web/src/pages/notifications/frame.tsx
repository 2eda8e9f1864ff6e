import type { ReactNode } from "react";
import { Page, PageHeader } from "../../app/page.tsx";
import { NotificationsTabs } from "./notifications-tabs.tsx";
import { useRowKeys } from "../../lists/use-row-keys.ts";

/** A tab of the notifications: what it tells in a line, what it does, and what it shows. */
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
