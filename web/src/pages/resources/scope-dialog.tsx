import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ResourceMetric } from "../../../../src/contract/thresholds.ts";
import type { ScopeThresholds } from "../../../../src/monitoring/resources/answers.ts";
import { saveScopeThresholds } from "../../api/queries.ts";
import { useHostName } from "../../app/hosts.ts";
import { useEntityName, useEntityOptions } from "../../entities/notifications/entity-options.ts";
import { scopeWords } from "../../entities/thresholds/words.ts";
import { TextField } from "../../ui/field.tsx";
import { CheckBox } from "../../ui/forms/check-box.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../ui/forms/many-picker.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { rereadThresholds } from "./reread-thresholds.ts";
import { isScope, NEW_SCOPE, readScopeDraft, SCOPE_FIELDS, scopeDraftOf, type ScopeDraft } from "./scope-draft.ts";

interface Properties {
  /** Those that are changed; undefined: new ones are set. */
  saved: ScopeThresholds | undefined;
  onClose: () => void;
}

/** Sets thresholds for all containers of a group or a host. */
export function ScopeDialog({ saved, onClose }: Properties) {
  const queryClient = useQueryClient();
  const nameOfHost = useHostName();
  const { draft, change, fault, form } = useDraft({
    initial: saved === undefined ? NEW_SCOPE : scopeDraftOf(saved),
    read: readScopeDraft,
    save: ({ scope, thresholds }) => saveScopeThresholds(scope, thresholds),
    fields: SCOPE_FIELDS,
    onSaved() {
      rereadThresholds(queryClient);
      onClose();
    },
  });
  return (
    <FormDialog
      title={saved === undefined ? "Thresholds for a group or a host" : `Thresholds of the ${scopeWords(saved, nameOfHost)}`}
      action="Save"
      failure="The thresholds were not saved."
      {...form}
      onClose={onClose}
    >
      {saved === undefined && <ScopePicker values={draft.scope} fault={fault("entity_id")} onChange={(scope) => change({ scope })} />}
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <Level metric="cpu" name="CPU" unit="% of its allocation" draft={draft} fault={fault("cpu_threshold")} onChange={change} />
        <Level metric="memory" name="Memory" unit="% of its limit" draft={draft} fault={fault("memory_threshold")} onChange={change} />
      </div>
      <TextField
        label="Duration in seconds"
        hint="How long above to fire, and below to resolve."
        fault={fault("debounce_seconds")}
        inputMode="numeric"
        value={draft.debounce}
        onChange={(debounce) => change({ debounce })}
      />
      <p className="text-sm text-ink-2">
        Applies to every container in it, including later ones. A container's own thresholds come first, then those of its group, then those
        of its host.
      </p>
    </FormDialog>
  );
}

function ScopePicker({
  values,
  fault,
  onChange,
}: {
  values: readonly string[];
  fault: string | undefined;
  onChange: (values: string[]) => void;
}) {
  const entities = useEntityOptions({ withScopes: true });
  const options = useMemo(() => entities.filter(({ value }) => isScope(value)), [entities]);
  return (
    <ManyPicker
      label="Group or host"
      fault={fault}
      placeholder="Type the name of a group or a host"
      none="No results."
      options={options}
      nameOf={useEntityName()}
      values={values}
      single
      onChange={onChange}
    />
  );
}

interface LevelProperties {
  metric: ResourceMetric;
  name: string;
  unit: string;
  draft: ScopeDraft;
  fault: string | undefined;
  onChange: (change: Partial<ScopeDraft>) => void;
}

function Level({ metric, name, unit, draft, fault, onChange }: LevelProperties) {
  const { isOn, percent } = draft[metric];
  const set = (level: Partial<ScopeDraft["cpu"]>): void => onChange({ [metric]: { ...draft[metric], ...level } });
  return (
    <div>
      <CheckBox label={`Watch ${metric === "cpu" ? "CPU" : "memory"}`} checked={isOn} onChange={(next) => set({ isOn: next })} />
      <div className="mt-1.5">
        <TextField
          label={`${name} above`}
          hint={isOn ? unit : "Not watched"}
          fault={fault}
          inputMode="decimal"
          value={percent}
          onChange={(text) => set({ percent: text, isOn: true })}
        />
      </div>
    </div>
  );
}
