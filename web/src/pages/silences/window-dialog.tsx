import { useQueryClient } from "@tanstack/react-query";
import type { MaintenanceRecord } from "../../../../src/alerting/quiet/api.ts";
import { createWindow, updateWindow } from "../../api/silences.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { useEntityOptions } from "../notifications/entity-options.ts";
import { FormDialog } from "../notifications/form-dialog.tsx";
import { ManyPicker } from "../notifications/many-picker.tsx";
import { useServerTime } from "../notifications/server-time.ts";
import { useDraft } from "../notifications/use-draft.ts";
import { newWindow, readWindow, WINDOW_FIELDS, windowDraft, type WindowDraft } from "./draft.ts";
import { PeriodFields } from "./period-fields.tsx";

/** Plans or changes a maintenance window. */
export function WindowDialog({ saved, onClose }: { saved: MaintenanceRecord | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const serverTime = useServerTime();
  const entities = useEntityOptions({ withHosts: true });
  const { draft, change, fault, form } = useDraft({
    initial: saved === undefined ? newWindow(serverTime()) : windowDraft(saved),
    read: (current: WindowDraft) => readWindow(current, saved),
    save: (body) => (saved === undefined ? createWindow(body) : updateWindow(saved.id, body)),
    fields: WINDOW_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["maintenance"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={saved === undefined ? "Plan maintenance" : `Edit ${saved.title}`}
      action={saved === undefined ? "Plan it" : "Save"}
      failure="The maintenance window was not saved."
      {...form}
      onClose={onClose}
    >
      <Field label="Title" fault={fault("title")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={255}
            placeholder="Kernel update of the database host"
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="May stay empty." fault={fault("description")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={2000}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <ManyPicker
        label="What is maintained"
        hint="Each with what depends on it."
        fault={fault("entities")}
        placeholder="Type the name of a container, endpoint, host, ..."
        none="Nothing monitored is called like that."
        options={entities}
        values={draft.entities}
        onChange={(next) => change({ entities: next })}
      />
      <PeriodFields starts={draft.starts} ends={draft.ends} fault={fault} onChange={change} />
    </FormDialog>
  );
}
