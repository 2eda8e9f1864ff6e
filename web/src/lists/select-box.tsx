import { Square, SquareCheck, SquareMinus } from "lucide-react";
import { classNames } from "../ui/class-names.ts";

/** Of a row with a {@link SelectBox}: it makes room for it on a phone while rows are selected. */
export const SELECTABLE_ROW_CLASS = "group/row max-md:[[data-selecting]_&]:pl-12";

/** Beside the row in the margin of the page; on a phone at the beginning of the row, while rows are selected. */
const PLACE =
  "absolute inset-y-0 z-[1] flex items-center max-md:left-0 max-md:justify-center max-md:hidden max-md:w-12 max-md:[[data-selecting]_&]:flex md:-left-6 md:w-8.5 md:pl-1";

interface Properties {
  id: number;
  name: string;
  isSelected: boolean;
  onSelect: (id: number, withRange: boolean) => void;
}

/** Selects the row that it stands in; with Shift all from the one before. By keys it is `x`, so that it is no stop of Tab. */
export function SelectBox({ id, name, isSelected, onSelect }: Properties) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      tabIndex={-1}
      title="Select (x)"
      aria-keyshortcuts="x"
      onClick={(event) => onSelect(id, event.shiftKey)}
      className={classNames(
        PLACE,
        "md:opacity-0 md:group-focus-within/row:opacity-100 md:group-hover/row:opacity-100 md:[[data-selecting]_&]:opacity-100",
        isSelected ? "text-accent" : "text-ink-3 hover:text-ink",
      )}
    >
      {isSelected ? <SquareCheck size={16} aria-hidden /> : <Square size={16} aria-hidden />}
      <span className="sr-only">Select {name}</span>
    </button>
  );
}

/** Selects all rows that are shown, or lets all go. It stands in the first head of a column. */
export function SelectAllBox({ isAny, areAll, onToggle }: { isAny: boolean; areAll: boolean; onToggle: () => void }) {
  const Icon = areAll ? SquareCheck : isAny ? SquareMinus : Square;
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={areAll ? true : isAny ? "mixed" : false}
      title="Select all shown (X)"
      onClick={onToggle}
      className={classNames(
        PLACE,
        "text-ink-3 hover:text-ink max-md:hidden! md:opacity-0 md:hover:opacity-100 md:focus-visible:opacity-100 md:[[data-selecting]_&]:opacity-100",
      )}
    >
      <Icon size={16} aria-hidden />
      <span className="sr-only">Select all shown</span>
    </button>
  );
}
