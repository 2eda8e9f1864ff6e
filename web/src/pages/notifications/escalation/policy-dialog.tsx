import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ESCALATION_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { CreateBody, ProbeBody } from "../../../../../src/alerting/escalation/api.ts";
import type { PolicyRecord } from "../../../../../src/alerting/escalation/answers.ts";
import { createPolicy, overlapsQuery, updatePolicy } from "../../../api/policies.ts";
import { SEVERITIES, SEVERITY_WORDS } from "../../../format/alert-words.ts";
import { TextField } from "../../../ui/field.tsx";
import { useChannelName } from "../../../entities/alerts/use-channel-name.ts";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { TagInput } from "../../../ui/forms/tag-input.tsx";
import { ToggleChips } from "../../../ui/forms/toggle-chips.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { useLater } from "../../../ui/forms/use-later.ts";
import { draftOf, NEW_POLICY, POLICY_FIELDS, probeOf, readDraft, withChangedFilters, type PolicyDraft } from "./draft.ts";
import { LevelFields } from "./level-fields.tsx";
import { overlapWords } from "./overlap-words.ts";

const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value].word }));

/** Makes or changes an escalation policy; other policies that the same alerts start are shown while it is edited. */
export function PolicyDialog({ policy, onClose }: { policy: PolicyRecord | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  // The one that the form began with: others may save another meanwhile.
  const [first] = useState(policy);
  const { draft, change, fault, form } = useDraft({
    initial: first === undefined ? NEW_POLICY : draftOf(first),
    read: readDraft,
    save: (body: CreateBody, changes) =>
      first === undefined ? createPolicy(body) : updatePolicy(first.id, withChangedFilters(first, changes)),
    fields: POLICY_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["policies"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={policy === undefined ? "New escalation policy" : `Edit ${policy.name}`}
      action={policy === undefined ? "Add policy" : "Save"}
      failure="The policy was not saved."
      {...form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isRequired
        fault={fault("name")}
        maxLength={ESCALATION_BOUNDS.nameLength}
        placeholder="Nights"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <ToggleChips
        label="Severity"
        hint={draft.severities.length === 0 ? "Any severity" : ""}
        fault={fault("filters.severities")}
        choices={SEVERITY_CHOICES}
        values={draft.severities}
        onChange={(severities) => change({ severities })}
      />
      <TagInput
        label="Tags"
        hint="Any of these; empty matches all."
        fault={fault("filters.tags")}
        placeholder="database"
        values={draft.tags}
        onChange={(tags) => change({ tags })}
      />
      <LevelFields levels={draft.levels} fault={fault} onChange={(levels) => change({ levels })} />
      <OverlapNote draft={draft} policyId={policy?.id} />
      <CheckBox
        label="Enabled"
        hint={policy === undefined ? undefined : "Running escalations are not affected."}
        checked={draft.active}
        onChange={(active) => change({ active })}
      />
    </FormDialog>
  );
}

/** Which other policies the same alerts start. */
function OverlapNote({ draft, policyId }: { draft: PolicyDraft; policyId: number | undefined }) {
  const channelName = useChannelName();
  const json = JSON.stringify(probeOf(draft, policyId) ?? null);
  // By its text, so that it rests while only the name is typed.
  const probe = useMemo((): ProbeBody | undefined => (json === "null" ? undefined : JSON.parse(json)), [json]);
  const asked = useLater(probe);
  const { data, error } = useQuery({ ...overlapsQuery(asked ?? { levels: [] }), enabled: asked !== undefined });
  return (
    <div role="status" className="min-h-10 rounded border border-line bg-sunken px-3 py-2 text-sm text-ink-2">
      {probe === undefined && "Complete all levels to see policies that overlap with this one."}
      {probe !== undefined && error !== null && `Could not check for overlapping policies. ${error.message}`}
      {probe !== undefined && error === null && data?.overlapping.length === 0 && "No overlapping policies."}
      {probe !== undefined && error === null && data !== undefined && data.overlapping.length > 0 && (
        <ul className="text-ink">
          {data.overlapping.map((overlap) => (
            <li key={overlap.policy_id} dir="auto" className="wrap-anywhere">
              {overlapWords(overlap, channelName)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
