import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { AGENT_LABEL_LENGTH, ENROLLMENT_BOUNDS } from "../../../../src/contract/agent.ts";
import type { CreatedToken } from "../../../../src/fleet/enrollment/answers.ts";
import { createToken } from "../../api/agents.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TextField } from "../../ui/field.tsx";
import { UnsavedChanges } from "../../ui/forms/unsaved-changes.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { ENROLL_FIELDS, NEW_HOST, readEnrollDraft } from "./draft.ts";

/** Asks how the host is to be called, and how long its token is to last. */
export function EnrollForm({ onCreated }: { onCreated: (created: CreatedToken) => void }) {
  const { draft, change, fault, form } = useDraft({
    initial: NEW_HOST,
    read: readEnrollDraft,
    save: createToken,
    fields: ENROLL_FIELDS,
    onSaved: onCreated,
  });
  const element = useRef<HTMLFormElement>(null);
  const { tries } = form;
  useEffect(() => element.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    if (tries > 0) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries]);

  return (
    <form
      ref={element}
      noValidate
      className="mt-6 flex max-w-[36rem] flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        form.onSubmit();
      }}
    >
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <TextField
          label="Label"
          hint="Shown in Binnacle. Defaults to the host name."
          fault={fault("label")}
          // What is too long is reported, not cut.
          maxLength={2 * AGENT_LABEL_LENGTH}
          placeholder="nas"
          value={draft.label}
          onChange={(label) => change({ label })}
        />
        <TextField
          label="Token lifetime in hours"
          hint={`1 to ${ENROLLMENT_BOUNDS.ttlHours} (one week).`}
          fault={fault("ttl_hours")}
          inputMode="numeric"
          value={draft.hours}
          onChange={(hours) => change({ hours })}
        />
      </div>
      {form.error !== null && !form.isShownAtFields && (
        <ErrorNote what="No token was generated." error={form.error}>
          Your input is kept.
        </ErrorNote>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" disabled={form.isSaving}>
          {form.isSaving ? "Generating token" : "Generate token"}
        </Button>
        <Link to="/hosts" ignoreBlocker className={buttonClass("quiet")}>
          Cancel
        </Link>
      </div>
      <UnsavedChanges when={form.hasChanges} />
    </form>
  );
}
