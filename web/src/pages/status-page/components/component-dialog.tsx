import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { COMPONENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { ComponentBody } from "../../../../../src/publishing/status/components/api.ts";
import type { ComponentRecord } from "../../../../../src/publishing/status/components/answers.ts";
import { componentsQuery, createComponent, groupsQuery, updateComponent } from "../../../api/status-components.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, INPUT_CLASS, TextField } from "../../../ui/field.tsx";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import { useEntityName, useEntityOptions } from "../../../entities/notifications/entity-options.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { COMPONENT_STATUSES, COMPONENT_WORDS, MONITOR_TYPES, MONITOR_WORDS, type MonitorType, shownWords } from "../words.ts";
import { chooseMonitor, COMPONENT_FIELDS, draftOf, isScope, monitorOf, NEW_COMPONENT, readDraft } from "./component-draft.ts";

interface Properties {
  /** The one that is changed; undefined: a new one is made. */
  saved: ComponentRecord | undefined;
  onClose: () => void;
}

/** Adds components to the status page, one after another where that is asked for, or changes one. */
export function ComponentDialog({ saved, onClose }: Properties) {
  const [round, setRound] = useState(0);
  const [addsAnother, setAddsAnother] = useState(false);
  return (
    <ComponentForm
      key={round}
      saved={saved}
      another={saved === undefined ? { isOn: addsAnother, onChange: setAddsAnother } : undefined}
      onSaved={() => (addsAnother && saved === undefined ? setRound(round + 1) : onClose())}
      onClose={onClose}
    />
  );
}

interface FormProperties extends Properties {
  another: { isOn: boolean; onChange: (isOn: boolean) => void } | undefined;
  onSaved: () => void;
}

function ComponentForm({ saved, another, onSaved, onClose }: FormProperties) {
  const queryClient = useQueryClient();
  const { data: grouped } = useQuery(groupsQuery);
  const monitorName = useEntityName();
  const { draft, change, fault, form } = useDraft({
    initial: saved === undefined ? NEW_COMPONENT : draftOf(saved),
    read: readDraft,
    save: (body: ComponentBody, changes) => (saved === undefined ? createComponent(body) : updateComponent(saved.id, changes)),
    fields: COMPONENT_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["status", "components"] });
      onSaved();
    },
  });
  return (
    <FormDialog
      title={saved === undefined ? "Add component" : `Edit ${saved.name}`}
      action={saved === undefined ? "Add component" : "Save"}
      failure="The component was not saved."
      {...form}
      onClose={onClose}
    >
      <MonitorPicker
        values={draft.monitor}
        saved={saved}
        fault={fault("monitor_id") ?? fault("monitor_type")}
        onChange={(monitor) => change(chooseMonitor(draft, monitor, monitorName))}
      />
      <TextField
        label="Name"
        isRequired
        hint="The name visitors see."
        fault={fault("name")}
        maxLength={COMPONENT_BOUNDS.nameLength}
        placeholder="Checkout"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="Description"
        hint="Optional. Shown under the name."
        fault={fault("description")}
        maxLength={COMPONENT_BOUNDS.descriptionLength}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <Field label="Group" fault={fault("group_id")}>
          {(control) => (
            <select
              {...control}
              className={INPUT_CLASS}
              value={draft.groupId}
              onChange={(event) => change({ groupId: event.target.value })}
            >
              <option value="">None</option>
              {grouped?.groups.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Status"
          hint={draft.override === "" ? undefined : "Stays like this until you change it, regardless of the monitor."}
          fault={fault("status_override")}
        >
          {(control) => (
            <select
              {...control}
              className={INPUT_CLASS}
              value={draft.override}
              onChange={({ target }) => change({ override: COMPONENT_STATUSES.find((status) => status === target.value) ?? "" })}
            >
              <option value="">
                Follow the monitor
                {saved !== undefined && !saved.needs_attention && `: ${shownWords({ ...saved, status: saved.monitor_status }).word}`}
              </option>
              {COMPONENT_STATUSES.map((status) => (
                <option key={status} value={status}>
                  Always {COMPONENT_WORDS[status].word.toLowerCase()}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <CheckBox
        label="Visible on the page"
        hint="When off, visitors do not see it."
        checked={draft.visible}
        onChange={(visible) => change({ visible })}
      />
      <CheckBox
        label="Create incidents automatically"
        hint={`An alert on ${isScope(draft.monitor[0]) ? "anything in it" : "the linked monitor"} creates an incident and resolves it with the alert. Subscribers are notified.`}
        checked={draft.autoIncident}
        onChange={(autoIncident) => change({ autoIncident })}
      />
      {another !== undefined && (
        <CheckBox label="Add another" hint="Keeps this form open after adding." checked={another.isOn} onChange={another.onChange} />
      )}
    </FormDialog>
  );
}

interface PickerProperties {
  values: readonly string[];
  saved: ComponentRecord | undefined;
  fault: string | undefined;
  onChange: (values: string[]) => void;
}

/** Finds what a component stands for, by kind and by name. */
function MonitorPicker({ values, saved, fault, onChange }: PickerProperties) {
  const [kind, setKind] = useState<MonitorType | undefined>(undefined);
  const entities = useEntityOptions({ withScopes: true });
  const { data } = useQuery(componentsQuery);
  const options = useMemo(() => {
    const taken = new Map(data?.components.filter(({ id }) => id !== saved?.id).map((each) => [monitorOf(each), each.name]));
    const known = entities.map((option) => {
      const component = taken.get(option.value);
      return component === undefined ? option : { ...option, note: `${option.note ?? ""}, on the page as ${component}` };
    });
    // What is gone is called as it was; a group may have no containers for a while.
    const note = saved?.monitor_type === "group" ? "Group without containers" : "Gone";
    const own = saved === undefined ? [] : [{ value: monitorOf(saved), label: saved.monitor_name, note }];
    return [...known, ...own.filter(({ value }) => !known.some((option) => option.value === value))];
  }, [entities, data, saved]);
  const shown = kind === undefined ? options : options.filter(({ value }) => value.startsWith(`${kind}:`) || values.includes(value));
  return (
    <div>
      <div role="group" aria-label="Kinds to choose from" className="mb-2 flex flex-wrap gap-1.5">
        <Button pressed={kind === undefined} onClick={() => setKind(undefined)}>
          All
        </Button>
        {MONITOR_TYPES.map((type) => (
          <Button key={type} pressed={kind === type} onClick={() => setKind(type)}>
            {MONITOR_WORDS[type].many}
          </Button>
        ))}
      </div>
      <ManyPicker
        label="Linked monitor"
        hint={
          isScope(values[0])
            ? "Follows all containers in it, with their endpoints and certificates: a partial outage when some are down, no data when it is empty."
            : "The component shows its status under the name below. Visitors see neither host names nor targets."
        }
        fault={fault}
        placeholder="Type a name to choose one"
        none={kind === undefined ? "No results." : `No ${MONITOR_WORDS[kind].one.toLowerCase()} matches.`}
        options={shown}
        values={values}
        single
        onChange={onChange}
      />
    </div>
  );
}
