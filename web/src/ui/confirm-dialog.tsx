import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Properties {
  open: boolean;
  title: string;
  /** What the button does, in words: `Delete endpoint`. */
  action: string;
  isPending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
  /** What is lost, and whether it can be undone. */
  children: ReactNode;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ open, title, action, isPending, onCancel, onConfirm, children }: Properties) {
  return (
    <Dialog open={open} onClose={onCancel} title={title}>
      <div className="flex flex-col gap-2">{children}</div>
      <div className="mt-4 flex gap-2">
        <Button kind="danger" disabled={isPending} onClick={onConfirm}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
