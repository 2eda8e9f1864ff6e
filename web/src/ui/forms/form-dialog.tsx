import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { ErrorNote } from "../error-note.tsx";

interface Properties {
  title: string;
  /** What the button says: `Add channel`. */
  action: string;
  /** What failed, as a sentence: `The channel was not saved.` */
  failure: string;
  error: Error | null;
  /** Every fault stands beside its field, so that the error as a whole says nothing more. */
  isShownAtFields: boolean;
  /** How often it was submitted in vain: each time the first faulty field is focused. */
  tries: number;
  isSaving: boolean;
  /** It is not what it began with. */
  hasChanges: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a window over its page. */
export function FormDialog({
  title,
  action,
  failure,
  error,
  isShownAtFields,
  tries,
  isSaving,
  hasChanges,
  onSubmit,
  onClose,
  children,
}: Properties) {
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  // After a refusal, by this form or by the server, the first fault gets the focus.
  const attempt = error === null ? tries : -tries;
  useEffect(() => {
    if (attempt !== 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);

  return (
    <Dialog open onClose={onClose} title={title} initialFocus={first} guardsInput hasChanges={hasChanges}>
      <form
        ref={(node) => {
          form.current = node;
          first.current = node?.querySelector("input") ?? null;
        }}
        noValidate
        className="flex flex-col gap-2.5"
        onSubmit={(event) => {
          event.preventDefault();
          // A form in a part of the page that belongs to this one is its own.
          event.stopPropagation();
          if (!isSaving) onSubmit();
        }}
      >
        {children}
        {error !== null && !isShownAtFields && (
          <ErrorNote what={failure} error={error}>
            Your input is kept.
          </ErrorNote>
        )}
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <Button type="submit" kind="primary" disabled={isSaving}>
            {isSaving ? "Saving" : action}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <span role="status" className="text-xs text-ink-2">
            {tries > 0 && isShownAtFields ? "Check the highlighted fields" : ""}
          </span>
        </div>
      </form>
    </Dialog>
  );
}
