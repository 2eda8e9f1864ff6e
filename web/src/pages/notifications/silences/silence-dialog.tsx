import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { SUPPRESSION_BOUNDS } from "../../../../../src/contract/suppression.ts";
import { createSilence, silencePreviewQuery } from "../../../api/silences.ts";
import { useHosts } from "../../../app/hosts.ts";
import { usePreferences } from "../../../app/preferences.ts";
import { SEVERITIES, SEVERITY_WORDS, SOURCE_WORDS, SOURCES } from "../../../format/alert-words.ts";
import { alertImpact, IMPACT_STATUS } from "../../../format/impact.ts";
import { countOf } from "../../../format/number.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { Field, INPUT_CLASS, TextField } from "../../../ui/field.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useEntityName, useEntityOptions } from "../../../entities/notifications/entity-options.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import type { SilenceSearch } from "../../../entities/notifications/search.ts";
import { useServerTime } from "../../../app/server-time.ts";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { useLater } from "../../../ui/forms/use-later.ts";
import { matchersOf, newSilence, readSilence, SILENCE_FIELDS, type SilenceDraft } from "../../../entities/silences/draft.ts";
import { PeriodFields } from "../../../entities/silences/period-fields.tsx";

const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value].word }));
const SOURCE_CHOICES = SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }));

/** Makes a silence; the alerts that it would match now are shown while it is put together. */
export function SilenceDialog({ proposed, onClose }: { proposed: SilenceSearch; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { readerName } = usePreferences();
  const serverTime = useServerTime();
  const { draft, change, fault, form } = useDraft({
    initial: newSilence(proposed, serverTime()),
    read: (current: SilenceDraft) => readSilence(current, readerName.get()),
    save: createSilence,
    fields: SILENCE_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["silences"] });
      onClose();
    },
  });
  return (
    <FormDialog title="New silence" action="Silence" failure="The silence was not created." {...form} onClose={onClose}>
      <MatcherFields draft={draft} change={change} fault={fault} />
      <Preview draft={draft} fault={fault("matchers")} />
      <PeriodFields
        starts={draft.starts}
        ends={draft.ends}
        startHint={draft.starts === "" ? "Now" : undefined}
        fault={fault}
        onChange={change}
      />
      <TextField
        label="Reason"
        hint="Optional. Shown with every silenced alert."
        fault={fault("reason")}
        maxLength={SUPPRESSION_BOUNDS.reasonLength}
        placeholder="Disk is being replaced"
        value={draft.reason}
        onChange={(reason) => change({ reason })}
      />
    </FormDialog>
  );
}

interface MatcherProperties {
  draft: SilenceDraft;
  change: (change: Partial<SilenceDraft>) => void;
  fault: (field: string) => string | undefined;
}

/** Which alerts are silenced. */
function MatcherFields({ draft, change, fault }: MatcherProperties) {
  const entities = useEntityOptions({ withScopes: true });
  const entityName = useEntityName();
  const hosts = useHosts();
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-ink-2">Silence alerts matching all of:</legend>
      <ManyPicker
        label="Applies to"
        fault={fault("matchers.entity_id") ?? fault("matchers.entity_type")}
        placeholder="Anything. Type the name of a container, group, host, ..."
        none="No results."
        options={entities}
        nameOf={entityName}
        values={draft.entities}
        single
        onChange={(next) => change({ entities: next })}
      />
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
        <Choice
          label="Severity"
          value={draft.severity}
          choices={SEVERITY_CHOICES}
          fault={fault("matchers.severity")}
          onChange={(severity) => change({ severity })}
        />
        <Choice
          label="Kind"
          value={draft.source}
          choices={SOURCE_CHOICES}
          fault={fault("matchers.source")}
          onChange={(source) => change({ source })}
        />
        <Choice
          label="Host"
          value={draft.host}
          choices={hosts.map(({ id, name }) => ({ value: id, label: name }))}
          fault={fault("matchers.agent_id")}
          onChange={(host) => change({ host })}
        />
      </div>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField
          label="Event"
          hint="For example: restart loop. Leave empty to match all."
          fault={fault("matchers.event")}
          maxLength={SUPPRESSION_BOUNDS.eventLength}
          value={draft.event}
          onChange={(event) => change({ event })}
        />
        <TextField
          label="Container label"
          hint="key or key=value. Leave empty to match all."
          fault={fault("matchers.label")}
          maxLength={SUPPRESSION_BOUNDS.labelLength}
          value={draft.label}
          onChange={(label) => change({ label })}
        />
      </div>
    </fieldset>
  );
}

interface ChoiceProperties<Value extends string> {
  label: string;
  value: Value | "";
  choices: readonly { value: Value; label: string }[];
  fault: string | undefined;
  onChange: (value: Value | "") => void;
}

function Choice<Value extends string>({ label, value, choices, fault, onChange }: ChoiceProperties<Value>) {
  return (
    <Field label={label} fault={fault}>
      {(control) => (
        <select
          {...control}
          className={INPUT_CLASS}
          value={value}
          onChange={({ target }) => onChange(choices.find((choice) => choice.value === target.value)?.value ?? "")}
        >
          <option value="">Any</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** So many of the alerts that it would match are named. */
const NAMED = 5;

function Preview({ draft, fault }: { draft: SilenceDraft; fault: string | undefined }) {
  const json = JSON.stringify(matchersOf(draft) ?? null);
  // By its text, so that it rests while only the reason is typed.
  const matchers = useMemo((): ReturnType<typeof matchersOf> => (json === "null" ? undefined : JSON.parse(json)), [json]);
  const asked = useLater(matchers);
  const { data, error } = useQuery({ ...silencePreviewQuery(asked ?? {}), enabled: asked !== undefined });
  const isShown = matchers !== undefined && data !== undefined && error === null;
  return (
    <div className="min-h-10 rounded border border-line bg-sunken px-3 py-2 text-sm">
      <p role="status" className={matchers === undefined && fault !== undefined ? "text-down" : "text-ink-2"}>
        {matchers === undefined && (fault ?? "Add a matcher to preview.")}
        {matchers !== undefined && error !== null && `Could not load the preview. ${error.message}`}
        {isShown &&
          (data.total === 0
            ? "No active alert matches now. New matching alerts will be silenced."
            : `Silences ${countOf(data.total, "active alert")} now:`)}
      </p>
      {isShown && data.total > 0 && (
        <ul className="mt-1">
          {data.alerts.slice(0, NAMED).map((alert) => (
            <li key={alert.id} className="flex items-start gap-2 py-0.5">
              <StatusIcon status={IMPACT_STATUS[alertImpact(alert)]} size={10} className="mt-1" />
              <span className="sr-only">{SEVERITY_WORDS[alert.severity].word}: </span>
              <bdi className="min-w-0 wrap-anywhere">{withLocalTimes(alert.message)}</bdi>
            </li>
          ))}
          {data.total > NAMED && <li className="py-0.5 text-ink-2">and {countOf(data.total - NAMED, "more", "more")}</li>}
        </ul>
      )}
    </div>
  );
}
