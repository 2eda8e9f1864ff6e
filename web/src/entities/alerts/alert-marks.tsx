import type { ReactNode } from "react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { holdOf, SUPPRESSION_WORDS } from "../../format/alert-words.ts";
import { Age } from "../../ui/age.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

type Marked = Pick<
  ShownAlert,
  "suppressed_by" | "silenced_until" | "acknowledged_at" | "acknowledged_by" | "acknowledged_note" | "not_seen_since"
>;

/** Why nobody is notified of it, who has it in hand, and whether it is seen at all; nothing when there is nothing to show. */
export function AlertMarks({ alert }: { alert: Marked }) {
  const { silenced_until, acknowledged_at, acknowledged_by, acknowledged_note, not_seen_since } = alert;
  const hold = holdOf(alert);
  return (
    <>
      {not_seen_since !== null && (
        <Mark title="Its host, container engine or container is away. The alert stays as it was last seen.">
          Not seen for <Age at={not_seen_since} />
        </Mark>
      )}
      {hold !== null && (
        <Mark title={SUPPRESSION_WORDS[hold].why}>
          {SUPPRESSION_WORDS[hold].word}
          {hold === "silence" && silenced_until !== null && (
            <>
              {" "}
              until <Timestamp at={silenced_until} precision="minute" />
            </>
          )}
        </Mark>
      )}
      {acknowledged_at !== null && (
        <Mark title={acknowledged_note ?? ""}>
          {`Acknowledged by ${acknowledged_by ?? "someone"}${acknowledged_note === null || acknowledged_note === "" ? "" : `: ${acknowledged_note}`}`}
        </Mark>
      )}
    </>
  );
}

function Mark({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span title={title} className="mr-1 rounded-[4px] bg-sunken px-1.5 py-0.5 text-xs font-medium text-ink-2">
      {children}
    </span>
  );
}
