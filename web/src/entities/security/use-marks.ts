import { useState } from "react";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { findingKey } from "./draft.ts";
import type { FindingGroup } from "./groups.ts";

const NONE: ReadonlySet<string> = new Set();

/** Which of the findings that nobody acknowledged are selected. Those that are not shown any more are not. */
export function useMarks(open: readonly InsightRecord[], groups: readonly FindingGroup[] | undefined) {
  const [marked, setMarked] = useState(NONE);
  const isOpen = new Set(open);

  function isSelected(insight: InsightRecord): boolean {
    return isOpen.has(insight) && marked.has(findingKey(insight));
  }

  /** Selects all of them, or lets them go where all are. */
  function toggle(insights: readonly InsightRecord[]): void {
    const keys = new Set(insights.map(findingKey));
    setMarked((before) => (keys.isSubsetOf(before) ? before.difference(keys) : before.union(keys)));
  }

  /** The finding, or all of the group, that has the focus. */
  function toggleFocused(): void {
    const { finding, group } = document.activeElement?.closest<HTMLElement>("[data-finding], [data-group]")?.dataset ?? {};
    const among = groups?.find(({ key }) => key === group)?.insights ?? open.filter((insight) => findingKey(insight) === finding);
    toggle(among.filter((insight) => isOpen.has(insight)));
  }

  return {
    selected: open.filter(isSelected),
    isSelected,
    toggle,
    toggleFocused,
    set: (insights: readonly InsightRecord[]) => setMarked(new Set(insights.map(findingKey))),
    clear: () => setMarked(NONE),
  };
}
