import { useRef, useState } from "react";
import { ALERT_BOUNDS } from "../../../../../src/contract/alert.ts";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { AskedKind } from "../../../api/alert-acts.ts";
import { usePreferences } from "../../../app/preferences.ts";
import { countOf } from "../../../format/number.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";

interface Properties {
  kind: AskedKind;
  alerts: readonly ShownAlert[];
  withNote: boolean;
  onClose: () => void;
  onDone: (by: string, note: string | undefined) => void;
}

/** Asks who acknowledges or resolves, and for a note. */
export function ActDialog({ kind, alerts, withNote, onClose, onDone }: Properties) {
  const { readerName } = usePreferences();
  const [by, setBy] = useState(readerName.get());
  const [note, setNote] = useState("");
  const [showsFault, setShowsFault] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const word = kind === "acknowledge" ? "Acknowledge" : "Resolve";
  const asksNote = kind === "acknowledge";
  const fault = by.trim() === "" ? "Enter your name." : undefined;
  const noteFirst = withNote && by !== "";
  return (
    <Dialog open onClose={onClose} title={word} initialFocus={first} guardsInput>
      <p dir="auto" className="mb-4 wrap-anywhere text-ink-2">
        {alerts.length === 1 ? withLocalTimes(alerts[0]?.message ?? "") : countOf(alerts.length, "alert")}
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsFault(true);
          if (fault === undefined) onDone(by.trim(), asksNote && note.trim() !== "" ? note.trim() : undefined);
        }}
      >
        <TextField
          label="Your name"
          isRequired
          hint="Saved in this browser."
          fault={showsFault ? fault : undefined}
          ref={noteFirst ? undefined : first}
          maxLength={ALERT_BOUNDS.personLength}
          value={by}
          onChange={setBy}
        />
        {asksNote && (
          <div className="mt-2">
            <TextField
              label="Note"
              hint="Optional. What is being done about it."
              ref={noteFirst ? first : undefined}
              maxLength={ALERT_BOUNDS.noteLength}
              value={note}
              onChange={setNote}
            />
          </div>
        )}
        <p className="mt-2 text-ink-2">
          {kind === "acknowledge"
            ? "Escalation stops. The alert stays active until the problem is resolved."
            : "Resolves the alert now. If the problem is seen again after 5 minutes or more, a new alert fires."}
        </p>
        <div className="mt-4 flex gap-2">
          <Button type="submit" kind="primary">
            {word}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
