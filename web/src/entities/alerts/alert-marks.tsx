import type { AlertRecord } from "../../../../src/alerting/alerts/api.ts";
import { SUPPRESSION_WORDS } from "../../format/alert-words.ts";

type Marked = Pick<AlertRecord, "suppressed_by" | "acknowledged_at" | "acknowledged_by" | "acknowledged_note">;

/** Why nobody is notified of it, and who has it in hand; nothing when neither. */
export function AlertMarks({ alert: { suppressed_by, acknowledged_at, acknowledged_by, acknowledged_note } }: { alert: Marked }) {
  return (
    <>
      {suppressed_by !== null && <Mark title={SUPPRESSION_WORDS[suppressed_by].why}>{SUPPRESSION_WORDS[suppressed_by].word}</Mark>}
      {acknowledged_at !== null && (
        <Mark title={acknowledged_note ?? ""}>
          {`Acknowledged by ${acknowledged_by ?? "someone"}${acknowledged_note === null || acknowledged_note === "" ? "" : `: ${acknowledged_note}`}`}
        </Mark>
      )}
    </>
  );
}

function Mark({ title, children }: { title: string; children: string }) {
  return (
    <span title={title} className="mr-1 rounded-[4px] bg-sunken px-1.5 py-0.5 text-xs font-medium text-ink-2">
      {children}
    </span>
  );
}
