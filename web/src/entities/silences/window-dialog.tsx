import { useQueryClient } from "@tanstack/react-query";
import { SUPPRESSION_BOUNDS } from "../../../../src/contract/suppression.ts";
import type { MaintenanceBody } from "../../../../src/alerting/suppression/api.ts";
import type { MaintenanceRecord } from "../../../../src/alerting/suppression/answers.ts";
import { createWindow, updateWindow } from "../../api/silences.ts";
import { TextField } from "../../ui/field.tsx";
import { useEntityName, useEntityOptions } from "../notifications/entity-options.ts";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { fromLocalField } from "../../format/local-time.ts";
import { ManyPicker } from "../../ui/forms/many-picker.tsx";
import { useServerTime } from "../../app/server-time.ts";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { useComponentOptions } from "../status-page/use-component-names.ts";
import { newWindow, readWindow, WINDOW_FIELDS, windowDraft, windowFrom, type WindowDraft } from "./draft.ts";
import { PeriodFields } from "./period-fields.tsx";

interface Properties {
  /** The one that is changed; undefined: a new one is made. */
  saved: MaintenanceRecord | undefined;
  /** When a new one is to begin, otherwise at the next full hour. */
  startMs?: number | undefined;
  onClose: () => void;
}

/** Plans or changes a maintenance window. */
export function WindowDialog({ saved, startMs, onClose }: Properties) {
  const queryClient = useQueryClient();
  const serverTime = useServerTime();
  const components = useComponentOptions();
  const entityName = useEntityName();
  const entities = useEntityOptions({ withScopes: true });
  const { draft, change, fault, form } = useDraft({
    initial: saved !== undefined ? windowDraft(saved) : startMs === undefined ? newWindow(serverTime()) : windowFrom(startMs),
    read: (current: WindowDraft) => readWindow(current, saved),
    save: (body: MaintenanceBody, changes) => (saved === undefined ? createWindow(body) : updateWindow(saved.id, changes)),
    fields: WINDOW_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["maintenance"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={saved === undefined ? "Plan maintenance" : `Edit ${saved.title}`}
      action={saved === undefined ? "Plan maintenance" : "Save"}
      failure="The maintenance window was not saved."
      {...form}
      onClose={onClose}
    >
      <TextField
        label="Title"
        isRequired
        fault={fault("title")}
        maxLength={SUPPRESSION_BOUNDS.titleLength}
        placeholder="Kernel update of the database host"
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <TextField
        label="Description"
        hint="Optional."
        fault={fault("description")}
        maxLength={SUPPRESSION_BOUNDS.descriptionLength}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      {(components.length > 0 || draft.components.length > 0) && (
        <ManyPicker
          label="Components of the status page"
          hint="Shown to visitors and sent to subscribers. Also covers their linked monitors."
          fault={fault("components")}
          placeholder="Type a name to choose one"
          none="No matching component."
          options={components}
          values={draft.components}
          onChange={(next) => change({ components: next })}
        />
      )}
      <ManyPicker
        label={components.length > 0 ? "Other monitors" : "Monitors"}
        hint="Includes their dependents. Not announced on the status page."
        fault={fault("entities")}
        placeholder="Type the name of a container, group, host, ..."
        none="No results."
        options={entities}
        nameOf={entityName}
        values={draft.entities}
        onChange={(next) => change({ entities: next })}
      />
      <PeriodFields starts={draft.starts} ends={draft.ends} fault={fault} onChange={change} />
      <InUtc starts={draft.starts} ends={draft.ends} />
    </FormDialog>
  );
}

/** What goes over the wire: the same in every zone. */
function InUtc({ starts, ends }: { starts: string; ends: string }) {
  const [from, until] = [starts, ends].map((field) => fromLocalField(field));
  return (
    <p className="min-h-4 text-xs text-ink-2 tabular-nums">
      {from !== undefined && until !== undefined && "Visitors see these times in their own time zone."}
    </p>
  );
}
