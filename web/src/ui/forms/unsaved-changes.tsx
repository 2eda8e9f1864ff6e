import { useEffect } from "react";
import { Dialog } from "../dialog.tsx";
import { DiscardQuestion } from "../discard-question.tsx";
import { useUnsavedChanges } from "./use-unsaved-changes.ts";

/** For a form that is part of its page: asks before it is left with changes. A window asks by itself. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const leaving = useUnsavedChanges(when);
  // The server may be gone, or the session over, when it has to ask.
  useEffect(() => {
    if (when) void import("../dialog-window.tsx").catch(() => undefined);
  }, [when]);
  if (leaving === undefined) return null;
  return (
    <Dialog open onClose={leaving.keep} title="Unsaved changes">
      <DiscardQuestion onDiscard={leaving.discard} onKeep={leaving.keep} />
    </Dialog>
  );
}
