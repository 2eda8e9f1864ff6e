import { lazy, Suspense, useMemo, useState } from "react";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { useAccepted } from "../../app/alert-acts.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useCapability } from "../../app/capability.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { formatCount } from "../../format/number.ts";
import type { Folds } from "../../lists/use-folds.ts";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { Button } from "../../ui/button.tsx";
import { findingKey } from "./draft.ts";
import { FindingGroups, FoldAllButton } from "./finding-groups.tsx";
import type { Grouping } from "./grouping.ts";
import { groupFindings } from "./groups.ts";
import { FindingRow } from "./finding-row.tsx";
import { useMarks } from "./use-marks.ts";

const AcknowledgeDialog = lazy(() => import("./acknowledge-dialog.tsx").then((module) => ({ default: module.AcknowledgeDialog })));

interface Properties {
  insights: readonly InsightRecord[];
  withContainer?: boolean;
  /** More than those given, which are then read. */
  total?: number | undefined;
  readAll?: (() => Promise<readonly InsightRecord[]>) | undefined;
  /** Without it they are one list. */
  grouping?: { by: Grouping; folds: Folds } | undefined;
}

/** Findings in the order given, each with what can be done about it; several are selected and acknowledged together. */
export function FindingList({ insights, withContainer = true, total, readAll, grouping }: Properties) {
  const [asked, setAsked] = useState<readonly InsightRecord[] | undefined>(undefined);
  const { isGranted, isAsked } = useCapability()("security_posture_page");
  const accepted = useAccepted();
  const withHost = useNamesHosts() && withContainer;
  const canAct = isGranted && !isAsked;
  const groups = useMemo(() => grouping && groupFindings(insights, grouping.by), [insights, grouping]);
  const isOpen = (insight: InsightRecord): boolean => insight.acknowledgment === null && !accepted.has(findingKey(insight));
  const open = insights.filter(isOpen);
  const marks = useMarks(open, groups);
  const { selected, isSelected, toggle, clear } = marks;
  const done = insights.length - open.length;

  const most = Math.max(open.length, (total ?? 0) - done);
  const areAll = selected.length >= most;

  /** Also those that are not shown yet. */
  async function readOpen(): Promise<readonly InsightRecord[]> {
    return readAll === undefined ? open : (await readAll()).filter(isOpen);
  }

  const selectAll = (): void => void readOpen().then(marks.set);
  const toggleAll = (): void => (areAll ? clear() : selectAll());
  const askAll = (): void => void readOpen().then(setAsked);
  const canAskAll = canAct && most > 1;

  useHotkeys({
    ...(canAct && { x: marks.toggleFocused }),
    ...(canAskAll && { X: toggleAll }),
    // On the page of findings alone: elsewhere the key is for alerts.
    ...(canAskAll && withContainer && { a: askAll }),
    ...(selected.length > 0 && { Escape: clear, a: () => setAsked(selected) }),
  });

  function row(insight: InsightRecord) {
    const key = findingKey(insight);
    return (
      <FindingRow
        key={key}
        insight={insight}
        withContainer={withContainer && grouping?.by !== "container"}
        withHost={withHost && grouping?.by !== "container"}
        isOnItsWay={accepted.has(key)}
        isSelected={isSelected(insight)}
        onSelect={canAct ? () => toggle([insight]) : undefined}
        onAcknowledge={canAct ? () => setAsked([insight]) : undefined}
      />
    );
  }

  return (
    <>
      {(canAskAll || groups !== undefined) && (
        <div className="flex flex-wrap items-center gap-x-3 border-b border-line py-1 text-sm text-ink-2 max-md:py-2 max-md:[&>button:first-child]:-ml-2.5">
          {grouping !== undefined && groups !== undefined && <FoldAllButton groups={groups} folds={grouping.folds} />}
          {canAskAll && <AllActs count={most} areAll={areAll} hasKey={withContainer} onSelect={toggleAll} onAcknowledge={askAll} />}
        </div>
      )}
      <ul aria-label="Findings">
        {grouping === undefined || groups === undefined ? (
          insights.map(row)
        ) : (
          <FindingGroups
            {...grouping}
            groups={groups}
            withHost={withHost}
            isOpen={isOpen}
            isSelected={isSelected}
            row={row}
            onSelect={canAct ? toggle : undefined}
            onAcknowledge={canAct ? setAsked : undefined}
          />
        )}
      </ul>
      {selected.length > 0 && (
        <SelectionBar label="Selected findings" selected={selected.length} shown={most} onSelectAll={selectAll} onClear={clear}>
          <Button kind="quiet" className="max-md:h-10" onClick={() => setAsked(selected)}>
            Acknowledge
          </Button>
        </SelectionBar>
      )}
      {asked !== undefined && (
        <Suspense>
          <AcknowledgeDialog
            insights={asked}
            onClose={() => setAsked(undefined)}
            onBegun={() => {
              setAsked(undefined);
              clear();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

interface AllProperties {
  count: number;
  areAll: boolean;
  /** Whether the key acknowledges all. */
  hasKey: boolean;
  onSelect: () => void;
  onAcknowledge: () => void;
}

/** What can be done with all findings at once. */
function AllActs({ count, areAll, hasKey, onSelect, onAcknowledge }: AllProperties) {
  return (
    <>
      <Button kind="quiet" onClick={onSelect}>
        {areAll ? "Clear the selection" : `Select all ${formatCount(count)}`}
      </Button>
      <Button kind="quiet" title={hasKey ? "Acknowledge all (a)" : undefined} onClick={onAcknowledge}>
        Acknowledge all {formatCount(count)}
      </Button>
      <span>Acknowledging accepts a finding: it stays listed and no longer lowers the score.</span>
    </>
  );
}
