import type { RefObject } from "react";
import { CHECK_SETTINGS, type CheckSetting, HTTP_SETTINGS, type SettingTable } from "../../../../../src/contract/check-settings.ts";
import { CHECK_METHODS, ENDPOINT_TYPES } from "../../../../../src/contract/endpoint.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Field, INPUT_CLASS, TextField } from "../../../ui/field.tsx";
import type { EndpointDraft, EndpointFaults, TypedSettings } from "../../../entities/endpoints/draft.ts";
import { HeaderFields } from "../../../entities/endpoints/header-fields.tsx";

interface Properties {
  draft: EndpointDraft;
  faults: EndpointFaults;
  onChange: (change: Partial<EndpointDraft>) => void;
  /** The field to begin with. */
  first?: RefObject<HTMLInputElement | null>;
}

/** The fields of an endpoint's form. */
export function EndpointFields({ draft, faults, onChange, first }: Properties) {
  return (
    <div className="flex flex-col gap-2.5">
      <fieldset className="inline-flex self-start rounded border border-line-strong">
        <legend className="sr-only">What is checked</legend>
        {ENDPOINT_TYPES.map((type) => (
          <label
            key={type}
            className={classNames(
              "flex h-8 cursor-pointer items-center px-3 first-of-type:rounded-l-[5px] last-of-type:rounded-r-[5px] has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent",
              draft.type === type ? "bg-accent-soft font-[550]" : "text-ink-2",
            )}
          >
            <input type="radio" name="type" className="sr-only" checked={draft.type === type} onChange={() => onChange({ type })} />
            {type === "http" ? "HTTP" : "TCP port"}
          </label>
        ))}
      </fieldset>
      <TextField
        label={draft.type === "http" ? "URL" : "Host and port"}
        isRequired
        hint={draft.type === "http" ? "Credentials in the URL are used but never shown again." : "Opens and closes a connection."}
        fault={faults["target"]}
        ref={first}
        inputMode="url"
        value={draft.target}
        onChange={(target) => onChange({ target })}
        placeholder={draft.type === "http" ? "https://shop.example.com/health" : "db.example.com:5432"}
      />
      <TextField
        label="Name"
        hint="Defaults to the target."
        fault={faults["name"]}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <div className="grid grid-cols-2 gap-x-4 gap-y-2.5 sm:grid-cols-4">
        <NumberField
          label="Interval"
          unit="seconds"
          value={draft.interval}
          fault={faults["interval_seconds"]}
          onChange={(interval) => onChange({ interval })}
        />
        <NumberField
          label="Timeout"
          unit="seconds"
          value={draft.timeout}
          fault={faults["timeout_seconds"]}
          onChange={(timeout) => onChange({ timeout })}
        />
        <SettingFields table={CHECK_SETTINGS} kind="number" draft={draft} faults={faults} onChange={onChange} />
      </div>
      {draft.type === "http" && <HttpFields draft={draft} faults={faults} onChange={onChange} />}
    </div>
  );
}

function HttpFields({ draft, faults, onChange }: Properties) {
  return (
    <>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2.5 sm:grid-cols-[8rem_1fr_8rem]">
        <Field label="Method" fault={faults["method"]}>
          {(control) => (
            <select
              {...control}
              className={INPUT_CLASS}
              value={draft.method}
              onChange={({ target: { value } }) => onChange({ method: CHECK_METHODS.find((method) => method === value) ?? "GET" })}
            >
              {CHECK_METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label="Expected status"
          hint="200, 204, 3xx"
          fault={faults["expected_status"]}
          value={draft.statuses}
          onChange={(statuses) => onChange({ statuses })}
        />
        <SettingFields table={HTTP_SETTINGS} kind="number" draft={draft} faults={faults} onChange={onChange} />
      </div>
      <SettingFields table={HTTP_SETTINGS} kind="text" draft={draft} faults={faults} onChange={onChange} />
      <SettingFields table={HTTP_SETTINGS} kind="flag" draft={draft} faults={faults} onChange={onChange} />
      <HeaderFields headers={draft.headers} fault={faults["headers"]} onChange={(headers) => onChange({ headers })} />
    </>
  );
}

interface SettingProperties extends Omit<Properties, "first"> {
  table: SettingTable;
  kind: CheckSetting["kind"];
}

/** The fields of a table's settings of one kind, in its order. */
function SettingFields({ table, kind, draft, faults, onChange }: SettingProperties) {
  return Object.entries(table)
    .filter(([, setting]) => setting.kind === kind)
    .map(([key, { name, title, hint }]) => {
      // A draft has the settings of both tables by their keys.
      const value = draft[key as keyof TypedSettings];
      const set = (next: string | boolean): void => onChange({ [key]: next });
      if (typeof value === "boolean")
        return (
          <label key={key} className="mb-1 flex items-start gap-2 max-md:py-2.5">
            <input
              type="checkbox"
              checked={value}
              onChange={(event) => set(event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {title}
              <span className="block text-xs text-ink-2">{hint}</span>
            </span>
          </label>
        );
      if (kind === "number") return <NumberField key={key} label={title} unit={hint} value={value} fault={faults[name]} onChange={set} />;
      return <TextField key={key} label={title} hint={hint} fault={faults[name]} value={value} onChange={set} />;
    });
}

interface NumberProperties {
  label: string;
  unit: string;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

function NumberField({ label, unit, value, fault, onChange }: NumberProperties) {
  return (
    <TextField label={label} hint={unit} fault={fault} inputMode="numeric" className="tabular-nums" value={value} onChange={onChange} />
  );
}
