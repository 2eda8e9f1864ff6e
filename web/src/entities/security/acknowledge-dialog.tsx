import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { SECURITY_BOUNDS } from "../../../../src/contract/security.ts";
import type { AcknowledgmentBulkBody } from "../../../../src/monitoring/security/api.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { acknowledgeFindings } from "../../api/security.ts";
import { useAlertActs } from "../../app/alert-acts.ts";
import { usePreferences } from "../../app/preferences.ts";
import { countOf } from "../../format/number.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { ACKNOWLEDGMENT_FIELDS, findingKey, readDraft, type AcknowledgmentDraft } from "./draft.ts";

interface Properties {
  insights: readonly InsightRecord[];
  onClose: () => void;
  /** They are on their way, and can be taken back for a moment. */
  onBegun: () => void;
}

/** Asks who accepts findings, and why. */
export function AcknowledgeDialog({ insights, onClose, onBegun }: Properties) {
  const queryClient = useQueryClient();
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const [only] = insights;
  const isOne = insights.length === 1;
  const initial: AcknowledgmentDraft = { by: readerName.get(), reason: "" };
  const { draft, change, fault, form } = useDraft({
    initial,
    read: readDraft(insights),
    save: (body) => {
      readerName.set(body.acknowledged_by);
      acts.begin({ kind: "acknowledge", findings: new Set(insights.map(findingKey)), send: () => send(queryClient, body) });
      return Promise.resolve();
    },
    fields: ACKNOWLEDGMENT_FIELDS,
    onSaved: onBegun,
  });
  return (
    <FormDialog
      title={isOne ? "Acknowledge finding" : `Acknowledge ${countOf(insights.length, "finding")}`}
      action="Acknowledge"
      failure="Nothing was acknowledged."
      {...form}
      onClose={onClose}
    >
      <p dir="auto" className="wrap-anywhere text-ink-2">
        {isOne ? only?.what : kindsWords(insights)}
      </p>
      <TextField
        label="Your name"
        isRequired
        hint="Saved in this browser."
        fault={fault("acknowledged_by")}
        maxLength={SECURITY_BOUNDS.personLength}
        value={draft.by}
        onChange={(by) => change({ by })}
      />
      <TextField
        label="Reason"
        isRequired
        hint={isOne ? "Shown with the finding." : "Shown with each finding."}
        fault={fault("reason")}
        maxLength={SECURITY_BOUNDS.reasonLength}
        placeholder="Public on purpose, behind the provider's firewall"
        value={draft.reason}
        onChange={(reason) => change({ reason })}
      />
      <p className="text-ink-2">
        {isOne ? "This accepts it: it stays listed but no longer lowers" : "This accepts them: they stay listed but no longer lower"} the
        score, even if the container is recreated under the same name. When all findings of a container are acknowledged, so is its alert.
      </p>
    </FormDialog>
  );
}

/** Throws with the reason when some were not acknowledged. */
async function send(queryClient: QueryClient, body: AcknowledgmentBulkBody): Promise<void> {
  try {
    const skipped = await acknowledgeFindings(body);
    const left = skipped.filter(({ code }) => code !== "already_acknowledged");
    if (left.length > 0) throw new Error(`${countOf(left.length, "finding")} skipped: ${left[0]?.message}`);
  } finally {
    await queryClient.invalidateQueries({ queryKey: ["security"] });
  }
}

/** `8 × Port exposed on all interfaces, 3 × Privileged container`, without what distinguishes those of a kind. */
function kindsWords(insights: readonly InsightRecord[]): string {
  const kinds = Map.groupBy(insights, ({ title, finding_key: key }) => (key === "" ? title : title.replace(`: ${key}`, "")));
  return [...kinds].map(([title, each]) => `${each.length} × ${title}`).join(", ");
}
