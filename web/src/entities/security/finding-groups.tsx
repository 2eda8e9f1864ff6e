import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { INSIGHT_SEVERITIES } from "../../../../src/contract/security.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { HostName } from "../../app/host-name.tsx";
import { useHotkeys } from "../../app/hotkeys.ts";
import { formatCount } from "../../format/number.ts";
import { FirstRows } from "../../lists/first-rows.tsx";
import type { Fold } from "../../lists/group-head.tsx";
import type { Folds } from "../../lists/use-folds.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Name } from "../../ui/name.tsx";
import type { Grouping } from "./grouping.ts";
import type { FindingGroup } from "./groups.ts";
import { FINDING_SEVERITY_WORDS, summaryWords } from "./words.ts";

/** So many groups, and findings of one, are in the page at first. */
const STEP = 100;

/** What can be done with the findings of a group; undefined: the edition does not grant it. */
interface GroupActs {
  onSelect: ((insights: readonly InsightRecord[]) => void) | undefined;
  onAcknowledge: ((insights: readonly InsightRecord[]) => void) | undefined;
}

interface Properties extends GroupActs {
  groups: readonly FindingGroup[];
  by: Grouping;
  folds: Folds;
  withHost: boolean;
  isOpen: (insight: InsightRecord) => boolean;
  isSelected: (insight: InsightRecord) => boolean;
  row: (insight: InsightRecord) => ReactNode;
}

/** Findings in groups that open: rows of one list, so that `j` and `k` go through heads and findings. `f` folds a group, `F` all. */
export function FindingGroups({ groups, folds, row, isOpen, isSelected, ...head }: Properties) {
  useHotkeys({ f: () => foldFocused(folds), F: () => toggleAll(groups, folds) });
  return (
    <FirstRows
      items={groups}
      step={STEP}
      noun="group"
      render={(group) => {
        const open = group.insights.filter(isOpen);
        const fold = { isFolded: folds.isFolded(group.key), toggle: () => folds.toggle(group.key) };
        return (
          <Fragment key={group.key}>
            <Head {...head} group={group} fold={fold} open={open} isSelected={open.length > 0 && open.every(isSelected)} />
            {!fold.isFolded && <FirstRows items={group.insights} step={STEP} noun="finding" render={row} />}
          </Fragment>
        );
      }}
    />
  );
}

interface HeadProperties extends GroupActs {
  group: FindingGroup;
  by: Grouping;
  fold: Fold;
  /** Those that nobody acknowledged. */
  open: readonly InsightRecord[];
  isSelected: boolean;
  withHost: boolean;
}

function Head({ group: { key, name, insights }, by, fold, open, isSelected, withHost, onSelect, onAcknowledge }: HeadProperties) {
  const [first] = insights;
  const canSelect = onSelect !== undefined && open.length > 0;
  const worst = INSIGHT_SEVERITIES.find((severity) => open.some((insight) => insight.severity === severity));
  const level = worst === undefined ? 0 : FINDING_SEVERITY_WORDS[worst].level;
  return (
    <li
      data-group={key}
      className={classNames(
        "relative flex min-h-11 flex-wrap items-center gap-x-2 border-b border-line py-1 max-md:-mx-4 max-md:px-4 max-md:pt-2.5 md:px-2.5",
        "hover:bg-hover has-[[aria-expanded]:focus-visible]:outline-2 has-[[aria-expanded]:focus-visible]:-outline-offset-2 has-[[aria-expanded]:focus-visible]:outline-accent",
        isSelected ? "bg-accent-soft" : "bg-sunken",
      )}
    >
      {onSelect !== undefined && (
        <span className="relative z-1 flex w-6 shrink-0 justify-center">
          {canSelect && (
            <input
              type="checkbox"
              aria-label={`Select ${formatCount(open.length)} of ${name}`}
              checked={isSelected}
              onChange={() => onSelect(open)}
              className="size-4 accent-accent"
            />
          )}
        </span>
      )}
      <button
        type="button"
        aria-expanded={!fold.isFolded}
        onClick={fold.toggle}
        className="flex min-w-0 items-center text-left font-[570] outline-none after:absolute after:inset-0"
      >
        <ChevronDown size={14} aria-hidden className={classNames("mr-1.5 shrink-0 text-ink-3", fold.isFolded && "-rotate-90")} />
        <LevelMark level={level} className="mr-2 shrink-0" />
        <Name>{name}</Name>
      </button>
      {withHost && by === "container" && <HostName of={first} />}
      <span className="ml-auto shrink-0 text-xs text-ink-2 tabular-nums">
        {summaryWords({ total: insights.length, acknowledged: insights.length - open.length })}
      </span>
      <span className="relative z-1 flex shrink-0 max-md:w-full max-md:justify-end">
        {by === "container" && (
          <Link to="/containers/$id" params={{ id: first.container_id }} search={{ tab: "security" }} className={buttonClass("quiet")}>
            Go to container
          </Link>
        )}
        {onAcknowledge !== undefined && open.length > 0 && (
          <Button kind="quiet" onClick={() => onAcknowledge(open)}>
            Acknowledge {formatCount(open.length)}
            <span className="sr-only"> of {name}</span>
          </Button>
        )}
      </span>
    </li>
  );
}

/** Folds all groups, or opens all where none is open. */
export function FoldAllButton({ groups, folds }: Pick<Properties, "groups" | "folds">) {
  return (
    <Button
      kind="quiet"
      title={`${areAllFolded(groups, folds) ? "Unfold" : "Fold"} all groups (F)`}
      onClick={() => toggleAll(groups, folds)}
    >
      {areAllFolded(groups, folds) ? "Unfold all" : "Fold all"}
    </Button>
  );
}

function areAllFolded(groups: readonly FindingGroup[], folds: Folds): boolean {
  return groups.every(({ key }) => folds.isFolded(key));
}

function toggleAll(groups: readonly FindingGroup[], folds: Folds): void {
  folds.setAll(!areAllFolded(groups, folds));
}

/** Folds or opens the group of the row that has the focus; its head gets it. */
function foldFocused(folds: Folds): void {
  let row: Element | null | undefined = document.activeElement?.closest("main ul > li");
  while (row instanceof HTMLElement && row.dataset["group"] === undefined) row = row.previousElementSibling;
  if (!(row instanceof HTMLElement)) return;
  row.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  folds.toggle(row.dataset["group"] ?? "");
}
