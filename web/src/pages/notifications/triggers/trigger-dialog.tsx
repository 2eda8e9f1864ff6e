import { useQueryClient } from "@tanstack/react-query";
import { TRIGGER_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { CreateBody } from "../../../../../src/alerting/routing/api.ts";
import type { TriggerRecord } from "../../../../../src/alerting/routing/answers.ts";
import { createTrigger, updateTrigger } from "../../../api/triggers.ts";
import { SEVERITIES, SEVERITY_WORDS, SOURCE_WORDS, SOURCES } from "../../../format/alert-words.ts";
import { TextField } from "../../../ui/field.tsx";
import { useChannelOptions } from "../channel-options.ts";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import { useEntityName, useEntityOptions } from "../../../entities/notifications/entity-options.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { TagInput } from "../../../ui/forms/tag-input.tsx";
import { ToggleChips } from "../../../ui/forms/toggle-chips.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { draftOf, NEW_TRIGGER, readDraft, settingsOf, TRIGGER_FIELDS, type TriggerDraft } from "./draft.ts";
import { WhatIf } from "./what-if.tsx";

const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value].word }));
const SOURCE_CHOICES = SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }));

/** Makes or changes a trigger; what it would have done can be tried before it is saved. */
export function TriggerDialog({ trigger, onClose }: { trigger: TriggerRecord | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const channels = useChannelOptions();
  const { draft, change, fault, form } = useDraft({
    initial: trigger === undefined ? NEW_TRIGGER : draftOf(trigger),
    read: readDraft,
    save: (body: CreateBody, changes) => (trigger === undefined ? createTrigger(body) : updateTrigger(trigger.id, changes)),
    fields: TRIGGER_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["triggers"] });
      onClose();
    },
  });
  const settings = settingsOf(draft);
  return (
    <FormDialog
      title={trigger === undefined ? "New trigger" : `Edit ${trigger.name}`}
      action={trigger === undefined ? "Add trigger" : "Save"}
      failure="The trigger was not saved."
      {...form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isRequired
        fault={fault("name")}
        maxLength={TRIGGER_BOUNDS.nameLength}
        placeholder="Nights"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <FilterFields draft={draft} change={change} fault={fault} />
      <ManyPicker
        label="Channels"
        hint="Alerts are sent to each channel."
        fault={fault("channel_ids")}
        placeholder="Type the name of a channel"
        none={channels.length === 0 ? "No channels yet." : "No matching channel."}
        options={channels}
        values={draft.channels}
        onChange={(next) => change({ channels: next })}
      />
      <CheckBox label="Notify on resolve" checked={draft.notifyOnResolve} onChange={(notifyOnResolve) => change({ notifyOnResolve })} />
      <CheckBox label="Enabled" checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
      {draft.channels.length > 0 && <WhatIf key={JSON.stringify(settings)} settings={settings} />}
    </FormDialog>
  );
}

interface FilterProperties {
  draft: TriggerDraft;
  change: (change: Partial<TriggerDraft>) => void;
  fault: (field: string) => string | undefined;
}

/** Which alerts it sends. */
function FilterFields({ draft, change, fault }: FilterProperties) {
  const entities = useEntityOptions({ withScopes: true });
  const entityName = useEntityName();
  return (
    <>
      <ToggleChips
        label="Severity"
        hint={draft.severities.length === 0 ? "Any severity" : ""}
        fault={fault("filter_severities")}
        choices={SEVERITY_CHOICES}
        values={draft.severities}
        onChange={(severities) => change({ severities })}
      />
      <ToggleChips
        label="Kind"
        hint={draft.sources.length === 0 ? "Anything" : ""}
        fault={fault("filter_sources")}
        choices={SOURCE_CHOICES}
        values={draft.sources}
        onChange={(sources) => change({ sources })}
      />
      <ManyPicker
        label="Applies to"
        hint="Any of these; empty matches all."
        fault={fault("filter_entities")}
        placeholder="Type the name of a container, group, host, ..."
        none="No results."
        options={entities}
        nameOf={entityName}
        values={draft.entities}
        onChange={(next) => change({ entities: next })}
      />
      <TagInput
        label="Tags"
        hint="Any of these; empty matches all. Set tags with the label service.alert.tags."
        fault={fault("filter_tags")}
        placeholder="night, database"
        values={draft.tags}
        onChange={(tags) => change({ tags })}
      />
    </>
  );
}
