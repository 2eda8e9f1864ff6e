import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { STATUS_PAGE_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { SettingsUpdate } from "../../../../../src/publishing/status/settings/api.ts";
import type { SettingsRecord } from "../../../../../src/publishing/status/settings/answers.ts";
import { saveStatusSettings, statusSettingsQuery } from "../../../api/status-settings.ts";
import { useTitle } from "../../../app/use-title.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Field, TextField, TextInput } from "../../../ui/field.tsx";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { accentWords, isAccent } from "../contrast.ts";
import { LogoField } from "./logo-field.tsx";
import {
  isChanged,
  NO_CHANGES,
  readSettings,
  SETTINGS_FIELDS,
  savedOf,
  type SettingsChanges,
  type SettingsDraft,
  withChanges,
} from "./settings-draft.ts";
import { Snippets } from "./snippets.tsx";

/** What the page is called, how it looks, and how others show it. */
export function SettingsTab() {
  const query = useQuery(statusSettingsQuery);
  useTitle("Status page settings");
  return (
    <>
      <Reading what="settings" query={query}>
        The page is not affected.
      </Reading>
      {query.data !== undefined && (
        <>
          <SettingsForm saved={query.data} />
          <Snippets settings={query.data} />
        </>
      )}
    </>
  );
}

function SettingsForm({ saved }: { saved: SettingsRecord }) {
  const queryClient = useQueryClient();
  const node = useRef<HTMLFormElement>(null);
  const sent = useRef(NO_CHANGES);
  const {
    draft: changes,
    change,
    fault,
    form,
  } = useDraft({
    initial: NO_CHANGES,
    read: (current) => readSettings(withChanges(saved, current), saved),
    save(body: SettingsUpdate) {
      sent.current = changes;
      return saveStatusSettings(body);
    },
    fields: SETTINGS_FIELDS,
    onSaved(next) {
      queryClient.setQueryData(statusSettingsQuery.queryKey, next);
      // What was typed while it was saved is still to be saved.
      change(savedOf(changes, sent.current));
    },
  });
  const draft = withChanges(saved, changes);
  const attempt = form.error === null ? form.tries : -form.tries;
  useEffect(() => {
    if (attempt !== 0) node.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);
  const changed = isChanged(draft, saved);
  return (
    <form
      ref={node}
      noValidate
      aria-label="Status page settings"
      className="mt-5 flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) form.onSubmit();
      }}
    >
      <CheckBox
        label="Published"
        hint="When off, the page, badges, feed and JSON return 404."
        checked={draft.published}
        onChange={(published) => change({ published })}
      />
      <CheckBox
        label="Show uptime"
        hint="Shows the last 90 days of each component."
        checked={draft.showUptime}
        onChange={(showUptime) => change({ showUptime })}
      />
      <PageFields saved={saved} draft={draft} change={change} fault={fault} />
      {form.error !== null && !form.isShownAtFields && (
        <ErrorNote what="The settings were not saved." error={form.error}>
          Your input is kept.
        </ErrorNote>
      )}
      <SaveBar isSaving={form.isSaving} hasChanges={changed} onDiscard={() => change(NO_CHANGES)}>
        {form.tries > 0 && form.isShownAtFields
          ? "Check the highlighted fields"
          : form.tries > 0 && !changed && !form.isSaving
            ? "Saved and live"
            : ""}
      </SaveBar>
      <UnsavedChanges when={changed} />
    </form>
  );
}

interface PageProperties {
  saved: SettingsRecord;
  draft: SettingsDraft;
  change: (change: SettingsChanges) => void;
  fault: (field: string) => string | undefined;
}

/** What the page is called, how it looks, and where it is. */
function PageFields({ saved, draft, change, fault }: PageProperties) {
  return (
    <div className="mt-2 grid gap-x-4 gap-y-2.5">
      <TextField
        label="Title"
        isRequired
        hint="Shown at the top of the page and in emails."
        fault={fault("title")}
        maxLength={STATUS_PAGE_BOUNDS.titleLength}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <TextField
        label="Description"
        hint="Optional. Shown below the title."
        fault={fault("description")}
        maxLength={STATUS_PAGE_BOUNDS.descriptionLength}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <LogoField
        shown={draft.logo === undefined ? saved.logo_url : draft.logo}
        fault={fault("logo")}
        onChange={(logo) => change({ logo: logo === null && !saved.has_logo ? undefined : logo })}
      />
      <AccentField accent={draft.accent} fault={fault("accent")} onChange={(accent) => change({ accent })} />
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        <TextField
          label="Your site"
          hint="Optional. Opens when visitors click the title."
          fault={fault("homepage_url")}
          inputMode="url"
          maxLength={STATUS_PAGE_BOUNDS.urlLength}
          placeholder="https://example.com/"
          value={draft.homepage}
          onChange={(homepage) => change({ homepage })}
        />
        <TextField
          label="Help"
          hint="Optional. Where visitors find help."
          fault={fault("support_url")}
          inputMode="url"
          maxLength={STATUS_PAGE_BOUNDS.urlLength}
          placeholder="https://example.com/contact"
          value={draft.support}
          onChange={(support) => change({ support })}
        />
      </div>
      <DomainField domain={draft.domain} fault={fault("domain")} onChange={(domain) => change({ domain })} />
    </div>
  );
}

function DomainField({ domain, fault, onChange }: { domain: string; fault: string | undefined; onChange: (domain: string) => void }) {
  return (
    <TextField
      label="Domain"
      hint="Optional. Only the status page is answered there. Point its DNS and your proxy at this server first."
      fault={fault}
      inputMode="url"
      maxLength={STATUS_PAGE_BOUNDS.domainLength}
      placeholder="status.example.com"
      value={domain}
      onChange={onChange}
    />
  );
}

function AccentField({ accent, fault, onChange }: { accent: string; fault: string | undefined; onChange: (accent: string) => void }) {
  const written = accent.trim();
  return (
    <Field label="Accent" hint={accentWords(written)} fault={fault}>
      {(control) => (
        <div className="flex max-w-56 gap-2">
          <input
            type="color"
            aria-label="Choose the accent"
            value={isAccent(written) ? written : "#000000"}
            onChange={(event) => onChange(event.target.value)}
            className="h-8 w-11 shrink-0 max-md:h-10 cursor-pointer rounded border border-line-strong bg-surface p-0.5"
          />
          <TextInput
            {...control}
            maxLength={7}
            className="font-mono text-xs"
            value={accent}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

/** Saves or discards the changes of the form it stands in. Its content says what became of the last try. */
function SaveBar({ isSaving, hasChanges, onDiscard, children }: SaveBarProperties) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <Button type="submit" kind="primary" disabled={isSaving || !hasChanges}>
        {isSaving ? "Saving" : "Save"}
      </Button>
      {hasChanges && !isSaving && (
        <Button kind="quiet" onClick={onDiscard}>
          Discard changes
        </Button>
      )}
      <span role="status" className="text-xs text-ink-2">
        {children}
      </span>
    </div>
  );
}

interface SaveBarProperties {
  isSaving: boolean;
  hasChanges: boolean;
  onDiscard: () => void;
  children: string;
}
