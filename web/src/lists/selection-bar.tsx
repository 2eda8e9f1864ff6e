import { X } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "../format/number.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";

interface Properties {
  /** Of what: `Selected endpoints`. */
  label: string;
  selected: number;
  shown: number;
  onSelectAll: () => void;
  onClear: () => void;
  /** What can be done with them. */
  children: ReactNode;
}

/** How many rows are selected, and what can be done with them; it stays in sight at the bottom of the list. */
export function SelectionBar({ label, selected, shown, onSelectAll, onClear, children }: Properties) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit flex-wrap items-center rounded border border-line-strong bg-surface p-1.5 pl-3 max-md:pl-2 md:gap-1 shadow-lg shadow-black/8 max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))]"
    >
      <span aria-live="polite" className="tabular-nums md:mr-2">
        {formatCount(selected)} selected
      </span>
      {selected < shown && (
        <Button
          kind="quiet"
          className="max-md:h-10"
          aria-label={`Select all ${formatCount(shown)}`}
          title="Select all shown (X)"
          onClick={onSelectAll}
        >
          All {formatCount(shown)}
        </Button>
      )}
      {children}
      <IconButton icon={X} label="Clear the selection (Esc)" className="max-md:size-10" onClick={onClear} />
    </div>
  );
}
