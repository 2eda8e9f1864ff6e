import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";
import { StatusIcon } from "../ui/status-icon.tsx";

/** How the head of a group folds it. */
export interface Fold {
  isFolded: boolean;
  toggle: () => void;
}

interface Properties {
  name: string;
  index: number;
  /** Undefined where groups do not fold. */
  fold: Fold | undefined;
  /** What else is shown of the group, after its name. */
  children?: ReactNode;
  /** Much is shown: the name keeps its place. */
  tight?: boolean;
  /** How many need attention, and the worst of their statuses. */
  attention: number;
  worst: "degraded" | "down";
  /** How many it has, in words. */
  count: string;
  /** What can be done with all of it, above the name that folds it. */
  action?: ReactNode;
}

/** The head of a group: its name, how many need attention, how many it has. A press of the name folds it. */
export function GroupHead({ name, index, fold, children, tight = false, attention, worst, count, action }: Properties) {
  const nameClass = classNames("truncate font-semibold text-ink", tight && "max-w-[24ch] shrink-0");
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="group/head relative flex h-full items-center gap-3 border-t border-line bg-sunken px-2.5 text-xs text-ink-2 max-md:-mx-4 max-md:px-4 has-[button]:hover:bg-hover has-[:focus-visible]:outline-2 has-[:focus-visible]:-outline-offset-2 has-[:focus-visible]:outline-accent"
    >
      <div role="rowheader" className="flex min-w-0 items-baseline">
        {fold === undefined ? (
          <bdi title={name} className={nameClass}>
            {name}
          </bdi>
        ) : (
          <button
            type="button"
            aria-expanded={!fold.isFolded}
            data-row={index}
            title={name}
            onClick={fold.toggle}
            className={classNames(nameClass, "outline-none after:absolute after:inset-0")}
          >
            <ChevronDown
              size={14}
              aria-hidden
              className={classNames("mr-1.5 -ml-0.5 inline-block align-[-3px] text-ink-3", fold.isFolded && "-rotate-90")}
            />
            <bdi>{name}</bdi>
          </button>
        )}
        {children !== undefined && <span className="truncate whitespace-pre">{children}</span>}
      </div>
      <span role="cell" className="ml-auto flex items-center gap-3 whitespace-nowrap tabular-nums">
        {action !== undefined && <span className="relative z-[1]">{action}</span>}
        {attention > 0 && (
          <span className="flex items-center gap-1.5">
            <StatusIcon status={worst} size={10} />
            <span>
              {attention}
              <span className="max-md:sr-only"> {attention === 1 ? "needs" : "need"} attention</span>
            </span>
          </span>
        )}
        {count}
      </span>
    </div>
  );
}
