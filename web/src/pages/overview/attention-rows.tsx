import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { AlertMarks } from "../alerts/alert-marks.tsx";
import type { Attention } from "./attention.ts";

/** More than this many are better read in their lists. */
const SHOWN = 12;
const LINK = "wrap-anywhere outline-none after:absolute after:inset-0";

/** Who needs attention, and why. */
export function AttentionRows({ list, withHost = false }: { list: readonly Attention[]; withHost?: boolean }) {
  const nameOf = useHostName();
  if (list.length === 0) return null;
  const hidden = list.length - SHOWN;
  return (
    <ul aria-label="Needs attention" className="mt-5">
      {list.slice(0, SHOWN).map((attention) => (
        <li
          key={attention.alert?.id ?? `${attention.type} ${attention.id}`}
          className="relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2 border-t border-line py-3 first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
        >
          <StatusIcon status={attention.status} className="mt-1" />
          <div className="min-w-0">
            <Way attention={attention}>
              {attention.name !== "" && <bdi>{attention.name}</bdi>} {attention.what}
            </Way>
            <p dir="auto" className="line-clamp-2 wrap-anywhere text-ink-2">
              {attention.alert !== undefined && <AlertMarks alert={attention.alert} />} {attention.why}{" "}
              <span className="text-ink-3 max-sm:hidden">{attention.where}</span>
              {withHost && attention.type !== "agent" && (
                <span className="text-ink-3">
                  {" "}
                  on <bdi>{nameOf(hostId({ agent_id: attention.agentId }))}</bdi>
                </span>
              )}
            </p>
          </div>
          <span className="text-xs leading-5 text-ink-2">
            <Age at={attention.since} />
          </span>
        </li>
      ))}
      {hidden > 0 && <More list={list.slice(SHOWN)} />}
    </ul>
  );
}

/** To the alert, where there is one, else to the thing itself. */
function Way({ attention: { alert, type, id, isSettled }, children }: { attention: Attention; children: ReactNode }) {
  const look = classNames(LINK, isSettled ? "text-ink-2" : "font-[570]");
  if (alert === undefined)
    return (
      <EntityLink type={type} id={id} className={look}>
        {children}
      </EntityLink>
    );
  return (
    <Link to="/alerts/$id" params={{ id: alert.id }} className={look}>
      {children}
    </Link>
  );
}

/** How many are not shown, and the lists that have them. */
function More({ list }: { list: readonly Attention[] }) {
  const types = new Set(list.map(({ type, alert }) => (alert === undefined ? type : "alert")));
  const link = "text-accent hover:underline";
  return (
    <li className="flex flex-wrap gap-x-2 border-t border-line py-3 text-ink-2">
      <span className="tabular-nums">{list.length} more, in the lists of</span>
      {types.has("alert") && (
        <Link to="/alerts" className={link}>
          alerts
        </Link>
      )}
      {types.has("container") && (
        <Link to="/containers" search={{ state: ["unhealthy", "restarting", "exited", "dead"] }} className={link}>
          containers
        </Link>
      )}
      {types.has("endpoint") && (
        <Link to="/endpoints" search={{ status: ["down", "degraded"] }} className={link}>
          endpoints
        </Link>
      )}
      {types.has("heartbeat") && (
        <Link to="/heartbeats" search={{ status: ["down", "started"] }} className={link}>
          heartbeats
        </Link>
      )}
      {types.has("certificate") && (
        <Link to="/certificates" search={{ status: ["expired", "chain_invalid", "unreachable", "expiring"] }} className={link}>
          certificates
        </Link>
      )}
    </li>
  );
}
