import { useQuery } from "@tanstack/react-query";
import { CloudOff, FlaskConical, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { useLive, useNewVersion } from "../api/live.ts";
import { healthQuery } from "../api/queries.ts";
import { useIsSessionMissed } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { SessionNotice } from "../ui/session-notice.tsx";
import { Timestamp } from "../ui/timestamp.tsx";

/** Sentences above the page about the page itself. */
export function Notices() {
  return (
    <>
      <DemoNotice />
      <ServerNotice />
    </>
  );
}

/** Stands above every page of a demo. */
function DemoNotice() {
  if (useQuery(healthQuery).data?.demo !== true) return null;
  return (
    <p className="flex items-center gap-2 border-b border-line bg-surface px-4 py-1 text-sm text-ink-2 sm:px-6">
      <FlaskConical size={14} aria-hidden className="shrink-0" />
      <span>
        <strong className="font-[550] text-ink">Demo.</strong> All data is made up. Try anything: nothing is stored or sent.
      </span>
    </p>
  );
}

function ServerNotice() {
  const live = useLive();
  const newVersion = useNewVersion();
  // Without a session nothing can be loaded, so the notice is part of the first view.
  if (useIsSessionMissed()) return <SessionNotice />;
  if (live.phase === "offline") {
    return (
      <Notice icon={<CloudOff size={16} aria-hidden />}>
        Cannot reach the server. The data below is from <Timestamp at={new Date(live.sinceMs).toISOString()} /> and refreshes when the
        server responds.
      </Notice>
    );
  }
  if (newVersion !== undefined) {
    return (
      <Notice icon={<RefreshCw size={16} aria-hidden />} action={<Button onClick={() => location.reload()}>Reload</Button>}>
        The server now runs version {newVersion}. Reload to update this page.
      </Notice>
    );
  }
  return null;
}

function Notice({ icon, children, action }: { icon: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div role="status" className="flex items-center gap-3 border-b border-line bg-degraded-soft px-4 py-2 sm:px-6">
      <span className="text-degraded">{icon}</span>
      <p className="flex-1">{children}</p>
      {action}
    </div>
  );
}
