import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

/** What is to be confirmed: a mutation of React Query without variables. */
interface Confirmed {
  mutation: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
  title: string;
  /** What the button does, in words: `Delete endpoint`. */
  action: string;
  /** What failed, as a sentence: `It was not deleted.` */
  failure: string;
  /** What is lost, and whether it can be undone. */
  children: ReactNode;
}

interface Properties extends Confirmed {
  open: boolean;
  onClose: () => void;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ open, onClose, mutation, title, action, failure, children }: Properties) {
  function close(): void {
    onClose();
    mutation.reset();
  }

  return (
    <Dialog open={open} onClose={close} title={title}>
      <div className="flex flex-col gap-2">
        {children}
        {mutation.error !== null && <ErrorNote what={failure} error={mutation.error} />}
      </div>
      <div className="mt-4 flex gap-2">
        <Button kind="danger" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({ label, ...confirmed }: Confirmed & { label: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog open={isAsking} onClose={() => setAsking(false)} {...confirmed} />
    </>
  );
}
