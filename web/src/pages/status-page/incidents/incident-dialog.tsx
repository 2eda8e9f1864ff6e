import { useQueryClient } from "@tanstack/react-query";
import { INCIDENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { IncidentBody, IncidentEdit } from "../../../../../src/publishing/status/incidents/api.ts";
import type { IncidentRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import { createIncident, editIncident } from "../../../api/status-incidents.ts";
import { TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { Select } from "../../../ui/select.tsx";
import { ChoiceChips } from "../choice-chips.tsx";
import { useComponentName, useComponentOptions } from "../../../entities/status-page/use-component-names.ts";
import {
  COMPONENT_WORDS,
  impactsFor,
  INCIDENT_SEVERITIES,
  INCIDENT_SEVERITY_WORDS,
  INCIDENT_STATUS_WORDS,
  INCIDENT_STATUSES,
} from "../words.ts";
import {
  applyTemplate,
  chooseComponents,
  draftOf,
  impactOf,
  INCIDENT_FIELDS,
  NEW_INCIDENT,
  readEdit,
  readIncident,
  type IncidentDraft,
} from "./incident-draft.ts";
import { MessageField } from "./message-field.tsx";
import { NotifyBox } from "./notify-box.tsx";

const SEVERITY_CHOICES = INCIDENT_SEVERITIES.map((value) => ({ value, ...INCIDENT_SEVERITY_WORDS[value] }));
const STATUS_CHOICES = INCIDENT_STATUSES.map((value) => ({ value, ...INCIDENT_STATUS_WORDS[value] }));

/** Publishes an incident to visitors. */
export function NewIncidentDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (incident: IncidentRecord) => void }) {
  const queryClient = useQueryClient();
  const nameOf = useComponentName();
  const { draft, change, fault, form } = useDraft({
    initial: NEW_INCIDENT,
    read: readIncident,
    save: (body: IncidentBody) => createIncident(body),
    fields: INCIDENT_FIELDS,
    onSaved(created) {
      void queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
      onCreated(created);
    },
  });
  const names = draft.components.map((id) => nameOf(Number(id)));
  return (
    <FormDialog title="Report incident" action="Publish" failure="The incident was not published." {...form} onClose={onClose}>
      <Whole draft={draft} change={change} fault={fault} />
      <ChoiceChips label="Status" choices={STATUS_CHOICES} value={draft.status} onChange={(status) => change({ status })} />
      <MessageField
        status={draft.status}
        value={draft.message}
        fault={fault("message")}
        onChange={(message) => change({ message })}
        onTemplate={(template) => change(applyTemplate(draft, template, names))}
      />
      <NotifyBox checked={draft.notify} onChange={(notify) => change({ notify })} />
    </FormDialog>
  );
}

/** Changes the facts of the whole incident; nobody is notified. */
export function EditIncidentDialog({ incident, onClose }: { incident: IncidentRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: draftOf(incident),
    read: readEdit,
    save: (_body: IncidentEdit, changes) => editIncident(incident.id, changes),
    fields: INCIDENT_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
      onClose();
    },
  });
  return (
    <FormDialog title={`Edit ${incident.title}`} action="Save" failure="The incident was not saved." {...form} onClose={onClose}>
      <Whole draft={draft} change={change} fault={fault} />
      <p className="text-sm text-ink-2">
        No notification is sent. To notify subscribers, post an update.
        {incident.automatic && " From now on you manage it. Only the resolution is still posted automatically."}
      </p>
    </FormDialog>
  );
}

interface WholeProperties {
  draft: IncidentDraft;
  change: (change: Partial<IncidentDraft>) => void;
  fault: (field: string) => string | undefined;
}

function Whole({ draft, change, fault }: WholeProperties) {
  const options = useComponentOptions();
  const nameOf = useComponentName();
  return (
    <>
      <TextField
        label="Title"
        isRequired
        fault={fault("title")}
        maxLength={INCIDENT_BOUNDS.titleLength}
        placeholder="Payments fail at checkout"
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <ManyPicker
        label="Components"
        hint="Affected components. Leave empty if the whole service is affected."
        fault={fault("components")}
        placeholder="Type a name to choose one"
        none="No matching component."
        options={options}
        values={draft.components}
        onChange={(components) => change(chooseComponents(draft, components, (id) => nameOf(Number(id))))}
      />
      <ChoiceChips
        label="Severity"
        hint={INCIDENT_SEVERITY_WORDS[draft.severity].means}
        choices={SEVERITY_CHOICES}
        value={draft.severity}
        onChange={(severity) => change({ severity })}
      />
      {draft.components.length > 0 && <Impacts draft={draft} change={change} fault={fault} />}
    </>
  );
}

/** What visitors read of each component while the incident is open. */
function Impacts({ draft, change, fault }: WholeProperties) {
  const nameOf = useComponentName();
  const choices = impactsFor(draft.severity).map((value) => ({ value, label: COMPONENT_WORDS[value].word }));
  const refused = fault("impacts");
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">Status on the page while the incident is open</legend>
      <div className="flex flex-wrap gap-1.5">
        {draft.components.map((id) => (
          <Select
            key={id}
            label={nameOf(Number(id))}
            value={impactOf(draft, id)}
            choices={choices}
            onChange={(status) => change({ impacts: { ...draft.impacts, [id]: status } })}
          />
        ))}
      </div>
      {refused === undefined ? (
        <p className="mt-1 text-xs text-ink-2">A worse status that is measured still shows.</p>
      ) : (
        <p className="mt-1 text-xs text-down">{refused}</p>
      )}
    </fieldset>
  );
}
