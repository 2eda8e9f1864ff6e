import { useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

interface Properties {
  title: string;
  /** What the button does, in words, and while it does: `Delete heartbeat`, `Deleting`. */
  action: string;
  doing: string;
  /** What must be typed. */
  name: string;
  isPending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
  /** What is lost, whether it can be undone, and what went wrong. */
  children: ReactNode;
}

/** Asks for the name of what is lost before it is. */
export function TypedConfirmDialog({ title, action, doing, name, isPending, onCancel, onConfirm, children }: Properties) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const isConfirmed = typed.trim() === name.trim();
  return (
    <Dialog open onClose={onCancel} title={title} initialFocus={field}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !isPending) onConfirm();
        }}
      >
        {children}
        <TextField label={`Type ${name} to confirm`} ref={field} value={typed} onChange={setTyped} />
        <div className="flex gap-2">
          <Button type="submit" kind="danger" disabled={!isConfirmed || isPending}>
            {isPending ? doing : action}
          </Button>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
