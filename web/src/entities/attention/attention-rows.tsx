import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { AlertMarks } from "../alerts/alert-marks.tsx";
import type { Attention, Folded } from "./attention.ts";
import { foldAttention } from "./fold.ts";

/** More than this many are better read in their lists. */
const SHOWN = 12;
const LINK = "wrap-anywhere outline-none after:absolute after:inset-0";

/** Who needs attention, and why: what people lose most by first, with what belongs to it folded below. */
export function AttentionRows({ list, withHost = false }: { list: readonly Attention[]; withHost?: boolean }) {
  const rows = useMemo(() => foldAttention(list), [list]);
  if (rows.length === 0) return null;
  return (
    <ul aria-label="Needs attention" className="mt-5">
      {rows.slice(0, SHOWN).map((attention) => (
        <AttentionRow key={keyOf(attention)} attention={attention} withHost={withHost} />
      ))}
      {rows.length > SHOWN && <More list={rows.slice(SHOWN)} />}
    </ul>
  );
}

function keyOf({ alert, type, id }: Attention): string | number {
  return alert?.id ?? `${type} ${id}`;
}

interface RowProperties {
  attention: Attention;
  withHost: boolean;
}

function AttentionRow({ attention, withHost }: RowProperties) {
  const nameOf = useHostName();
  const { folded } = attention;
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2 py-3 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent">
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
      </div>
      {folded !== undefined && <Below folded={folded} withHost={withHost} />}
    </li>
  );
}

/** What is folded below a row: opened by its summary. */
function Below({ folded: { kind, list }, withHost }: { folded: Folded; withHost: boolean }) {
  const hosts = new Set(list.map(hostIdOf)).size;
  return (
    <details className="group -mt-1.5 pb-2 pl-7">
      <summary className="inline-flex min-h-7 cursor-pointer list-none items-center gap-1 rounded pr-2 text-sm text-ink-2 select-none hover:text-ink max-sm:min-h-10 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90 motion-reduce:transition-none" />
        {kind === "hosts" ? `Same problem on ${countOf(hosts, "more host")}` : `${countOf(list.length, "dependent alert")} suppressed`}
      </summary>
      <ul className="border-l border-line pl-3">
        {list.map((attention) => (
          <AttentionRow key={keyOf(attention)} attention={attention} withHost={withHost || kind === "hosts"} />
        ))}
      </ul>
    </details>
  );
}

function hostIdOf({ agentId }: Attention): string {
  return hostId({ agent_id: agentId });
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
      <span className="tabular-nums">{list.length} more in</span>
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
