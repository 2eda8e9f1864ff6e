import { Popover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";

/** A few words more about `children`, a button: when it is pointed at, and, for fingers and keys, when it is pressed. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Popover.Root>
      <Popover.Trigger render={children} openOnHover delay={150} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} className="z-50">
          <Popover.Popup
            initialFocus={false}
            className="max-w-[min(20rem,var(--available-width))] rounded border border-line-strong bg-surface px-2.5 py-1.5 text-xs wrap-anywhere text-ink shadow-lg shadow-black/8 outline-none"
          >
            {text}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
