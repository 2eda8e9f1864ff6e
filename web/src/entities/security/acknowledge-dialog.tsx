import { useQueryClient } from "@tanstack/react-query";
import { SECURITY_BOUNDS } from "../../../../src/contract/security.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { acknowledgeFinding } from "../../api/security.ts";
import { usePreferences } from "../../app/preferences.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { ACKNOWLEDGMENT_FIELDS, readDraft, type AcknowledgmentDraft } from "./draft.ts";

/** Asks who accepts a finding, and why. */
export function AcknowledgeDialog({ insight, onClose }: { insight: InsightRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { readerName } = usePreferences();
  const initial: AcknowledgmentDraft = { by: readerName.get(), reason: "" };
  const { draft, change, fault, form } = useDraft({
    initial,
    read: readDraft(insight),
    save: acknowledgeFinding,
    fields: ACKNOWLEDGMENT_FIELDS,
    onSaved({ acknowledged_by }) {
      readerName.set(acknowledged_by);
      void queryClient.invalidateQueries({ queryKey: ["security"] });
      onClose();
    },
  });
  return (
    <FormDialog title="Acknowledge finding" action="Acknowledge" failure="The finding was not acknowledged." {...form} onClose={onClose}>
      <p dir="auto" className="wrap-anywhere text-ink-2">
        {insight.what}
      </p>
      <Field label="Your name" isRequired hint="Saved in this browser." fault={fault("acknowledged_by")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={SECURITY_BOUNDS.personLength}
            value={draft.by}
            onChange={(event) => change({ by: event.target.value })}
          />
        )}
      </Field>
      <Field label="Reason" isRequired hint="Shown with the finding." fault={fault("reason")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={SECURITY_BOUNDS.reasonLength}
            placeholder="Public on purpose, behind the provider's firewall"
            value={draft.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        )}
      </Field>
      <p className="text-ink-2">
        It stays listed but no longer lowers the score, even if the container is recreated under the same name. When all findings of a
        container are acknowledged, so is its alert.
      </p>
    </FormDialog>
  );
}
