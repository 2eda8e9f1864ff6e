import { CHANNEL_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Field, INPUT_CLASS, TextField, TextInput } from "../../../ui/field.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { HeaderFields } from "../../../entities/endpoints/header-fields.tsx";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import type { ChannelDraft } from "./draft.ts";
import { KIND_GUIDES, type KindField } from "../../../entities/notifications/kind-guides.ts";
import { SubscribeButton } from "./subscribe-button.tsx";

interface Properties {
  draft: ChannelDraft;
  change: (change: Partial<ChannelDraft>) => void;
  fault: (field: string) => string | undefined;
  /** The channel that is being changed. */
  saved?: ChannelRecord;
}

/** The fields of a channel's form: those of its kind only, with where to find what they ask for. */
export function ChannelFields({ draft, change, fault, saved }: Properties) {
  const { steps, headers } = KIND_GUIDES[draft.type];
  const headerFields = <HeaderFields headers={draft.headers} fault={fault("headers")} onChange={(next) => change({ headers: next })} />;
  return (
    <>
      <TextField
        label="Name"
        isRequired
        hint="Reference this name in container labels."
        fault={fault("name")}
        maxLength={CHANNEL_BOUNDS.nameLength}
        placeholder="ops"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      {draft.replacesAddress ? (
        <>
          <ol className="mb-1 list-decimal rounded border border-line bg-sunken py-2 pr-3 pl-8 text-sm wrap-anywhere text-ink-2">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <AddressFields draft={draft} change={change} fault={fault} />
        </>
      ) : (
        <SavedAddress url={saved?.url ?? ""} fault={fault("url")} onReplace={() => change({ replacesAddress: true })} />
      )}
      {headers === "shown" && headerFields}
      {headers === "folded" && (
        <details open={draft.headers.length > 0 || fault("headers") !== undefined}>
          <Summary>Headers, if a proxy requires them</Summary>
          <div className="mt-2">{headerFields}</div>
        </details>
      )}
      <CheckBox
        label="Enabled"
        hint="When disabled, only tests are sent."
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
    </>
  );
}

/** The address as it may be shown, and the way to another one. */
function SavedAddress({ url, fault, onReplace }: { url: string; fault: string | undefined; onReplace: () => void }) {
  return (
    <div>
      <p className="mb-1 text-xs font-medium text-ink-2">URL</p>
      <p className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded bg-sunken px-2 py-1 font-mono text-xs wrap-anywhere">{url}</code>
        <Button onClick={onReplace}>Replace</Button>
      </p>
      <p
        role={fault === undefined ? undefined : "alert"}
        className={classNames("mt-1 min-h-4 text-xs", fault === undefined ? "text-ink-2" : "text-down")}
      >
        {fault ?? "Secrets are never shown. They stay unchanged unless you replace the address."}
      </p>
    </div>
  );
}

function AddressFields({ draft, change, fault }: Omit<Properties, "saved">) {
  const { fields } = KIND_GUIDES[draft.type];
  return fields.map((field, index) => {
    const value = draft.values[field.name] ?? "";
    const onChange = (next: string): void => change({ values: { ...draft.values, [field.name]: next } });
    // What the server says of the address stands where the address begins.
    const ownFault = fault(field.name) ?? (index === 0 ? fault("url") : undefined);
    if (field.isSubscription === true)
      return <SubscribeButton key={field.name} isSubscribed={value !== ""} fault={ownFault} onSubscribed={onChange} />;
    return (
      <Field
        key={field.name}
        label={field.isOptional === true ? `${field.label} (optional)` : field.label}
        isRequired={field.isOptional !== true && field.choices === undefined}
        hint={field.hint}
        fault={ownFault}
      >
        {(control) => <Control control={control} field={field} value={value} onChange={onChange} />}
      </Field>
    );
  });
}

interface ControlProperties {
  control: Parameters<Parameters<typeof Field>[0]["children"]>[0];
  field: KindField;
  value: string;
  onChange: (value: string) => void;
}

function Control({ control, field: { choices, placeholder }, value, onChange }: ControlProperties) {
  if (choices === undefined)
    return (
      <TextInput
        {...control}
        maxLength={CHANNEL_BOUNDS.urlLength}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <select {...control} className={INPUT_CLASS} value={value} onChange={(event) => onChange(event.target.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
