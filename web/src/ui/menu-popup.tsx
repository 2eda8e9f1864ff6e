import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { MenuProperties, MenuRow } from "./menu-rows.ts";

const ROW =
  "flex min-h-8 w-full cursor-default items-center gap-2 rounded-[4px] px-2 py-1 text-ink outline-none select-none data-highlighted:bg-accent-soft max-md:min-h-10";

/** An open menu, and from then on its button. */
export function MenuPopup({ trigger, rows, align = "start" }: MenuProperties) {
  const chosenKey = rows.find((row) => row.mark === "one" && row.chosen === true)?.key;
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50 outline-none">
          <Base.Popup className="max-h-[min(32rem,var(--available-height))] max-w-[min(22rem,var(--available-width))] min-w-44 overflow-y-auto rounded border border-line-strong bg-surface p-1 shadow-lg shadow-black/8 outline-none">
            <Base.RadioGroup value={chosenKey ?? ""}>
              {[...Map.groupBy(rows, ({ part = "" }) => part)].map(([part, rowsOfPart]) => (
                <Part key={part} name={part}>
                  {rowsOfPart.map((row) => (
                    <Row key={row.key} row={row} />
                  ))}
                </Part>
              ))}
            </Base.RadioGroup>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const PART = "not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1";

function Part({ name, children }: { name: string; children: ReactNode }) {
  if (name === "") return <div className={PART}>{children}</div>;
  return (
    <Base.Group className={PART}>
      <Base.GroupLabel className="px-2 py-1 text-xs font-medium wrap-anywhere text-ink-3">{name}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

function Row({ row }: { row: MenuRow }) {
  switch (row.mark) {
    case undefined:
      return (
        <Base.Item className={ROW} onClick={row.run}>
          <RowText row={row} />
        </Base.Item>
      );
    case "one":
      return (
        <Base.RadioItem className={ROW} value={row.key} closeOnClick onClick={row.run}>
          <Mark>
            <Base.RadioItemIndicator>
              <Check size={14} aria-hidden />
            </Base.RadioItemIndicator>
          </Mark>
          <RowText row={row} />
        </Base.RadioItem>
      );
    case "any":
      return (
        <Base.CheckboxItem className={ROW} checked={row.chosen === true} onCheckedChange={row.run} closeOnClick={false}>
          <Mark>
            <Base.CheckboxItemIndicator>
              <Check size={14} aria-hidden />
            </Base.CheckboxItemIndicator>
          </Mark>
          <RowText row={row} />
        </Base.CheckboxItem>
      );
  }
}

/** Keeps its place whether marked or not. */
function Mark({ children }: { children: ReactNode }) {
  return <span className="flex size-4 shrink-0 items-center justify-center text-accent">{children}</span>;
}

function RowText({ row: { label, count } }: { row: MenuRow }) {
  return (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-2 truncate">{label}</span>
      {count !== undefined && <span className="pl-4 text-xs text-ink-3 tabular-nums">{count}</span>}
    </>
  );
}
