import { useRef, useState } from "react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { AskedKind } from "../../api/alert-acts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { IMPACT_WORDS } from "../../format/impact.ts";
import { formatCount } from "../../format/number.ts";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { useSelection } from "../../lists/use-selection.ts";
import { Button } from "../../ui/button.tsx";
import { useActing } from "../../entities/alerts/acting/use-acting.tsx";
import { AlertRow } from "./alert-row.tsx";
import type { ImpactGroup } from "./groups.ts";

/** In a storm there are thousands, and nobody reads them one by one. */
const SHOWN = 200;

/** The active alerts, group by group. `j` and `k` go from row to row, `x` selects (`X` all), `a` acknowledges, `r` resolves, `s` silences what is selected or else focused. */
export function AlertList({ groups }: { groups: readonly ImpactGroup[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [limit, setLimit] = useState(SHOWN);
  const { act, askSilence, dialog } = useActing();
  const flat = groups.flatMap(({ alerts }) => alerts).slice(0, limit);
  const total = groups.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const selection = useSelection(flat);
  const selected = selection.rows;

  function focused(): number | undefined {
    const row = document.activeElement?.closest("[data-alert-row]")?.getAttribute("data-alert-row");
    return row === null || row === undefined ? undefined : Number(row);
  }

  function focus(index: number): void {
    focusRow(Math.min(Math.max(index, 0), flat.length - 1));
  }

  function focusRow(index: number): void {
    const row = list.current?.querySelector<HTMLElement>(`[data-alert-row="${index}"] a`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  function actOn(kind: AskedKind, alert: ShownAlert, index: number): void {
    act(kind, [alert]);
    // What was done moves the row away: the one that takes its place is next.
    requestAnimationFrame(() => focus(index));
  }

  function actOnSelected(kind: AskedKind): void {
    const index = focused();
    const alerts = kind === "acknowledge" ? selected.filter((alert) => alert.acknowledged_at === null) : selected;
    if (alerts.length > 0) act(kind, alerts);
    selection.clear();
    if (index !== undefined) requestAnimationFrame(() => focus(index));
  }

  function actOnChosen(kind: AskedKind): void {
    if (selected.length > 0) return actOnSelected(kind);
    const index = focused();
    const alert = index === undefined ? undefined : flat[index];
    if (index === undefined || alert === undefined || (kind === "acknowledge" && alert.acknowledged_at !== null)) return;
    actOn(kind, alert, index);
  }

  /** What is selected or else focused; the rows stay where they are. */
  function silenceChosen(): void {
    const one = flat[focused() ?? -1];
    const chosen = selected.length > 0 ? selected : one === undefined ? [] : [one];
    askSilence(chosen.filter((alert) => alert.silenced_until === null));
    selection.clear();
  }

  useHotkeys({
    j: () => focus((focused() ?? -1) + 1),
    k: () => focus((focused() ?? flat.length) - 1),
    a: () => actOnChosen("acknowledge"),
    r: () => actOnChosen("resolve"),
    s: silenceChosen,
  });

  function showMore(): void {
    setLimit(limit + SHOWN);
    // The button may be gone then: the first row that is new is next.
    requestAnimationFrame(() => focusRow(limit));
  }

  const shown = placeRows(groups, limit);
  return (
    <div ref={list}>
      {shown.map(({ impact, count, rows }) => (
        <section key={impact} aria-label={IMPACT_WORDS[impact]} className="mt-6">
          <h2 className="border-b border-line pb-2 text-xs font-semibold text-ink-2 tabular-nums">
            {IMPACT_WORDS[impact]} <span className="font-normal text-ink-3">{formatCount(count)}</span>
          </h2>
          <ul>
            {rows.map(({ alert, index }) => (
              <AlertRow
                key={alert.id}
                alert={alert}
                index={index}
                isSelected={selection.has(alert.id)}
                onSelect={selection.toggle}
                onAct={actOn}
              />
            ))}
          </ul>
        </section>
      ))}
      {total > limit && (
        <div className="flex items-center gap-3 pt-3">
          <Button onClick={showMore}>Show more alerts</Button>
          <span className="text-xs text-ink-2 tabular-nums">{formatCount(total - limit)} more</span>
        </div>
      )}
      {selected.length > 0 && (
        <SelectionBar
          label="Selected alerts"
          selected={selected.length}
          shown={flat.length}
          onSelectAll={selection.toggleAll}
          onClear={selection.clear}
        >
          <Button kind="quiet" className="max-md:h-10" title="Acknowledge (a)" onClick={() => actOnSelected("acknowledge")}>
            Acknowledge
          </Button>
          <Button kind="quiet" className="max-md:h-10" title="Resolve (r)" onClick={() => actOnSelected("resolve")}>
            Resolve
          </Button>
          <Button kind="quiet" className="max-md:h-10" title="Silence (s)" onClick={silenceChosen}>
            Silence
          </Button>
        </SelectionBar>
      )}
      {dialog}
    </div>
  );
}

/** The first `limit` rows, each with its place in the whole list. */
function placeRows(groups: readonly ImpactGroup[], limit: number) {
  return groups
    .map(({ impact, alerts }, at) => {
      const before = groups.slice(0, at).reduce((sum, group) => sum + group.alerts.length, 0);
      const rows = alerts.slice(0, Math.max(limit - before, 0)).map((alert, place) => ({ alert, index: before + place }));
      return { impact, count: alerts.length, rows };
    })
    .filter(({ rows }) => rows.length > 0);
}
