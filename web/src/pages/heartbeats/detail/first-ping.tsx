import { Link } from "@tanstack/react-router";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { useIsNobodyNotified } from "../../../entities/notifications/nobody-notified.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** Waits for the first ping, and says when it is here. Events report it; nothing is polled. */
export function FirstPing({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const isNobodyNotified = useIsNobodyNotified();
  const arrived = heartbeat.last_ping_at !== null;
  return (
    <p
      role="status"
      className={classNames(
        "mt-4 flex min-h-10 items-center gap-2.5 rounded border px-4 py-2",
        arrived ? "border-transparent bg-ok-soft" : "border-line bg-sunken",
      )}
    >
      <StatusIcon status={arrived ? "ok" : "idle"} className={classNames(!arrived && "animate-pulse")} />
      {heartbeat.last_ping_at === null ? (
        <span>
          <span className="font-[550]">Waiting for the first ping…</span>{" "}
          <span className="text-ink-2">Run the job or the curl command below. This updates automatically.</span>
        </span>
      ) : (
        <span>
          <span className="font-[550]">First ping received.</span>{" "}
          <span className="text-ink-2">
            Received at <Timestamp at={heartbeat.last_ping_at} />. {isNobodyNotified === false && "You'll be alerted if it's late."}
            {isNobodyNotified === true && (
              <>
                If one is late, an alert fires, but nobody is notified yet:{" "}
                <Link to="/notifications" search={{ create: "yes" }} className="underline underline-offset-2 hover:text-ink">
                  add a channel
                </Link>
                .
              </>
            )}
          </span>
        </span>
      )}
    </p>
  );
}
