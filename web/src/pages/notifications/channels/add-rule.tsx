import { useQueryClient } from "@tanstack/react-query";
import type { RuleBody } from "../../../../../src/alerting/channels/api.ts";
import { addRule } from "../../../api/channels.ts";
import { SEVERITIES, SEVERITY_WORDS, SOURCE_WORDS, SOURCES, type AlertSource, type Severity } from "../../../format/alert-words.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Field, INPUT_CLASS } from "../../../ui/field.tsx";
import { useEntityName, useEntityOptions } from "../../../entities/notifications/entity-options.ts";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { ruleWords } from "./rule-words.ts";

interface RuleDraft {
  severity: Severity | "";
  source: AlertSource | "";
  entities: readonly string[];
}

const FIELDS = ["severity", "source", "entity_type", "entity_id"];

function readRule({ severity, source, entities: [entity] }: RuleDraft): { body: RuleBody } {
  const [type = "", id = ""] = entity?.split(/:(.*)/s) ?? [];
  return {
    body: { severity: severity || null, source: source || null, entity_type: type || null, entity_id: id || null },
  };
}

/** Adds a rule: what is left at any narrows nothing. */
export function AddRule({ channelId, onClose }: { channelId: number; onClose: () => void }) {
  const queryClient = useQueryClient();
  const nameOf = useEntityName();
  const options = useEntityOptions({ withScopes: true });
  const { draft, change, fault, submit, form } = useDraft<RuleDraft, RuleBody, unknown>({
    initial: { severity: "", source: "", entities: [] },
    read: readRule,
    save: (body) => addRule(channelId, body),
    fields: FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["channels"] });
      onClose();
    },
  });
  return (
    <form
      noValidate
      aria-label="New rule"
      className="mt-3 max-w-[48rem]"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-[9rem_10rem_minmax(0,1fr)]">
        <Field label="Severity" fault={fault("severity")}>
          {(control) => (
            <select
              {...control}
              className={INPUT_CLASS}
              value={draft.severity}
              onChange={({ target: { value } }) => change({ severity: SEVERITIES.find((each) => each === value) ?? "" })}
            >
              <option value="">Any</option>
              {SEVERITIES.map((severity) => (
                <option key={severity} value={severity}>
                  {SEVERITY_WORDS[severity].word}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Kind" fault={fault("source")}>
          {(control) => (
            <select
              {...control}
              className={INPUT_CLASS}
              value={draft.source}
              onChange={({ target: { value } }) => change({ source: SOURCES.find((each) => each === value) ?? "" })}
            >
              <option value="">Anything</option>
              {SOURCES.map((source) => (
                <option key={source} value={source}>
                  {SOURCE_WORDS[source]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ManyPicker
          label="Applies to"
          placeholder="Anything. Type the name of a container, group, host, ..."
          none="No results."
          options={options}
          values={draft.entities}
          single
          fault={fault("entity_id") ?? fault("entity_type")}
          onChange={(entities) => change({ entities })}
        />
      </div>
      <p className="mb-2 text-ink-2">{ruleWords({ ...readRule(draft).body }, nameOf)} will be sent here.</p>
      {form.error !== null && !form.isShownAtFields && <ErrorNote what="The rule was not added." error={form.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={form.isSaving}>
          {form.isSaving ? "Saving" : "Add rule"}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <UnsavedChanges when={form.hasChanges} />
    </form>
  );
}
