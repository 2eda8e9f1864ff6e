import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { IconButton } from "./icon-button.tsx";

interface Properties {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** What is focused first; otherwise the button that closes. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A window over the page that takes the keyboard until it is closed. */
export function Dialog({ open, onClose, title, children, initialFocus }: Properties) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          initialFocus={initialFocus}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col rounded border border-line-strong bg-surface shadow-xl shadow-black/15 outline-none"
        >
          <header className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label="Close" />} />
          </header>
          <div className="overflow-y-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
