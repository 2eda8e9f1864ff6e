import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, useState, type FocusEvent, type ReactNode, type RefObject } from "react";
import { useIsSessionMissed } from "../api/session.ts";
import { DiscardQuestion } from "./discard-question.tsx";
import { useUnsavedChanges } from "./forms/use-unsaved-changes.ts";
import { IconButton } from "./icon-button.tsx";
import { SessionNotice } from "./session-notice.tsx";

export interface DialogProperties {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** What is focused first; otherwise the button that closes. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** It asks before it loses what is typed into it. */
  guardsInput?: boolean;
  /** It holds changes that it asks for as well, typed or not. */
  hasChanges?: boolean;
}

/** See dialog.tsx, which loads it when it is first opened. */
export function DialogWindow({ open, onClose, title, children, initialFocus, guardsInput = false, hasChanges = false }: DialogProperties) {
  const [isTyped, setIsTyped] = useState(false);
  const [isClosing, setIsClosing] = useState(false);
  const focused = useRef<HTMLElement>(null);
  const isGuarded = open && (hasChanges || (guardsInput && isTyped));
  const leaving = useUnsavedChanges(isGuarded);
  const isSessionMissed = useIsSessionMissed();
  const isAsking = isClosing || leaving !== undefined;

  function keep(): void {
    setIsClosing(false);
    leaving?.keep();
    focused.current?.focus();
  }

  function askToClose(reason: string): void {
    if (!isGuarded) onClose();
    else if (!isAsking) setIsClosing(true);
    else if (reason === "escape-key") keep();
  }

  return (
    <Base.Root open={open} onOpenChange={(next, { reason }) => next || askToClose(reason)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          initialFocus={initialFocus}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col rounded border border-line-strong bg-surface shadow-xl shadow-black/15 outline-none"
          onInput={() => setIsTyped(true)}
          onFocus={({ target }: FocusEvent<HTMLElement>) => {
            if (!isAsking) focused.current = target;
          }}
        >
          <header className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label="Close" />} />
          </header>
          {isGuarded && isSessionMissed && <SessionNotice />}
          <div className="overflow-y-auto p-4">{children}</div>
          {isAsking && <DiscardQuestion className="border-t border-line px-4 py-3" onDiscard={leaving?.discard ?? onClose} onKeep={keep} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
