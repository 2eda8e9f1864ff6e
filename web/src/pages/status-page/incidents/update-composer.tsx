import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { UpdateBody } from "../../../../../src/publishing/status/incidents/api.ts";
import type { IncidentRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import { addUpdate } from "../../../api/status-incidents.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { ChoiceChips } from "../choice-chips.tsx";
import { isReplaceable } from "../templates.ts";
import { useComponentName } from "../../../entities/status-page/use-component-names.ts";
import { INCIDENT_STATUS_WORDS, INCIDENT_STATUSES, type IncidentStatus } from "../words.ts";
import { readUpdate, UPDATE_FIELDS, type UpdateDraft } from "./incident-draft.ts";
import { MessageField } from "./message-field.tsx";
import { NotifyBox } from "./notify-box.tsx";

const STATUS_CHOICES = INCIDENT_STATUSES.map((value) => ({ value, ...INCIDENT_STATUS_WORDS[value] }));

interface Properties {
  incident: IncidentRecord;
  /** Proposed, until another is chosen. */
  status: IncidentStatus;
  onDone: () => void;
}

/** Writes the next update of an incident: it continues, is resolved, or opens again. */
export function UpdateComposer({ incident, status, onDone }: Properties) {
  const queryClient = useQueryClient();
  const nameOf = useComponentName();
  const node = useRef<HTMLFormElement>(null);
  const names = incident.components.map(nameOf);
  const { draft, change, fault, form } = useDraft({
    initial: { status, message: "", notify: true } satisfies UpdateDraft as UpdateDraft,
    read: readUpdate,
    save: (body: UpdateBody) => addUpdate(incident.id, body),
    fields: UPDATE_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
      onDone();
    },
  });
  const reopens = incident.resolved_at !== null && draft.status !== "resolved";
  const action = reopens ? "Reopen it" : draft.status === "resolved" && incident.resolved_at === null ? "Resolve it" : "Post update";

  function submit(): void {
    form.onSubmit();
    // Whoever was refused is led to the fault, once it is marked.
    requestAnimationFrame(() => node.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  }

  return (
    <form
      ref={node}
      noValidate
      aria-label="Update"
      className="mt-3 flex flex-col gap-2.5 rounded border border-line bg-surface p-3 sm:p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.isSaving) submit();
      }}
    >
      <ChoiceChips label="Status" choices={STATUS_CHOICES} value={draft.status} onChange={(next) => change({ status: next })} />
      <MessageField
        status={draft.status}
        value={draft.message}
        fault={fault("message")}
        onChange={(message) => change({ message })}
        onTemplate={(template) =>
          isReplaceable(draft.message, names, "message")
            ? change({ message: template.message(names) })
            : change({ message: `${draft.message.trimEnd()}\n\n${template.message(names)}` })
        }
      />
      <NotifyBox checked={draft.notify} onChange={(notify) => change({ notify })} />
      {form.error !== null && !form.isShownAtFields && (
        <ErrorNote what="The update was not posted." error={form.error}>
          Your input is kept.
        </ErrorNote>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" disabled={form.isSaving}>
          {form.isSaving ? "Posting" : action}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <UnsavedChanges when={form.hasChanges} />
    </form>
  );
}
