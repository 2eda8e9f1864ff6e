import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { alertContextsQuery } from "../../api/alert-queries.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { useActing } from "../alerts/acting/use-acting.tsx";
import type { Attention } from "./attention.ts";
import { AttentionRow, type Doing, keyOf } from "./attention-row.tsx";
import { foldAttention } from "./fold.ts";

/** More than this many are better read in their lists. */
const SHOWN = 12;

interface Properties {
  list: readonly Attention[];
  withHost?: boolean;
}

/** Who needs attention, and why: what people lose most by first, with what belongs to it folded below. `j` and `k` go from row to row, `a` acknowledges, `s` silences. */
export function AttentionRows({ list, withHost = false }: Properties) {
  const { data } = useQuery(alertContextsQuery);
  const contexts = useMemo(() => new Map(data?.contexts.map((context) => [context.alert_id, context])), [data]);
  const rows = useMemo(() => foldAttention(list), [list]);
  const body = useRef<HTMLUListElement>(null);
  const { act, silence, askSilence, dialog } = useActing();

  function move(step: 1 | -1): void {
    const all = [...(body.current?.querySelectorAll<HTMLElement>("[data-attention] a:not([data-log])") ?? [])].filter((link) =>
      link.checkVisibility(),
    );
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  }

  function acknowledge(one: Attention): void {
    const open = [one, ...onOtherHosts(one)].flatMap(({ alert }) => (alert?.acknowledged_at === null ? [alert] : []));
    if (open.length > 0) act("acknowledge", open);
  }

  function focused(): Attention | undefined {
    const key = document.activeElement?.closest("[data-attention]")?.getAttribute("data-attention");
    return rows.flatMap(withBelow).find((each) => String(keyOf(each)) === key);
  }

  function askSilenceOf(one: Attention): void {
    askSilence([one, ...onOtherHosts(one)].flatMap(({ alert }) => (alert?.silenced_until === null ? [alert] : [])));
  }

  const onFocused = (run: (one: Attention) => void) => () => {
    const one = focused();
    if (one !== undefined) run(one);
  };
  useHotkeys({ j: () => move(1), k: () => move(-1), a: onFocused(acknowledge), s: onFocused(askSilenceOf) });

  if (rows.length === 0) return null;
  const doing: Doing = {
    acknowledge,
    silence(one, until, covers) {
      for (const { alert } of [one, ...onOtherHosts(one)]) if (alert !== undefined) silence(alert, until, covers);
    },
  };
  return (
    <>
      <ul ref={body} aria-label="Needs attention" className="mt-5">
        {rows.slice(0, SHOWN).map((attention) => (
          <AttentionRow key={keyOf(attention)} {...{ attention, withHost, contexts, doing }} />
        ))}
        {rows.length > SHOWN && <More list={rows.slice(SHOWN)} />}
      </ul>
      {dialog}
    </>
  );
}

/** The same problem elsewhere: who acts on it acts on all of it. */
function onOtherHosts({ folded = [] }: Attention): readonly Attention[] {
  return folded.flatMap(({ kind, list }) => (kind === "hosts" ? list : []));
}

function withBelow(one: Attention): Attention[] {
  return [one, ...(one.folded ?? []).flatMap(({ list }) => list.flatMap(withBelow))];
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
