import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { INCIDENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { IncidentRecord, IncidentUpdateRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import { deleteUpdate, editUpdate } from "../../../api/status-incidents.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { TextArea } from "../text-area.tsx";
import { INCIDENT_STATUS_WORDS } from "../words.ts";

/** What was published of an incident, the latest first. */
export function Timeline({ incident }: { incident: IncidentRecord }) {
  const [edited, setEdited] = useState<IncidentUpdateRecord | undefined>(undefined);
  const [deleted, setDeleted] = useState<IncidentUpdateRecord | undefined>(undefined);
  return (
    <>
      <ol aria-label="Updates, latest first">
        {incident.updates.toReversed().map((update) => {
          const { status, word } = INCIDENT_STATUS_WORDS[update.status];
          return (
            <li key={update.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line py-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-baseline gap-x-3">
                  <span className="inline-flex items-center gap-2 font-[550]">
                    <StatusIcon status={status} size={10} />
                    {word}
                  </span>
                  <span className="text-xs text-ink-2">
                    <Timestamp at={update.created_at} precision="minute" />
                    {update.edited_at !== null && (
                      <>
                        , edited <Timestamp at={update.edited_at} precision="minute" />
                      </>
                    )}
                  </span>
                </p>
                <p dir="auto" className="mt-1 max-w-[80ch] wrap-anywhere whitespace-pre-wrap">
                  {update.message}
                </p>
              </div>
              <div className="flex">
                <IconButton icon={Pencil} label={`Edit the update: ${word}`} onClick={() => setEdited(update)} />
                <IconButton
                  icon={Trash2}
                  label={incident.updates.length === 1 ? "The only update cannot be deleted" : `Delete the update: ${word}`}
                  disabled={incident.updates.length === 1}
                  onClick={() => setDeleted(update)}
                />
              </div>
            </li>
          );
        })}
      </ol>
      {edited !== undefined && <EditUpdate incident={incident} update={edited} onClose={() => setEdited(undefined)} />}
      {deleted !== undefined && <DeleteUpdate incident={incident} update={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface Properties {
  incident: IncidentRecord;
  update: IncidentUpdateRecord;
  onClose: () => void;
}

function EditUpdate({ incident, update, onClose }: Properties) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { message: update.message },
    read: ({ message }) =>
      message.trim() === "" ? { faults: { message: "Enter a message, or delete the update." } } : { body: message.trim() },
    save: (message: string) => editUpdate(incident.id, update.id, message),
    fields: ["message"],
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
      onClose();
    },
  });
  return (
    <FormDialog title="Edit update" action="Save" failure="The update was not saved." {...form} onClose={onClose}>
      <Field label="Message" isRequired hint="The page and the feed show that it was edited. No email is sent." fault={fault("message")}>
        {(control) => (
          <TextArea
            {...control}
            maxLength={INCIDENT_BOUNDS.messageLength}
            value={draft.message}
            onChange={(event) => change({ message: event.target.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function DeleteUpdate({ incident, update, onClose }: Properties) {
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => deleteUpdate(incident.id, update.id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Delete the update "${INCIDENT_STATUS_WORDS[update.status].word}"?`}
      action="Delete update"
      mutation={removal}
      failure="It was not deleted."
      onClose={onClose}
    >
      <p dir="auto" className="line-clamp-3 wrap-anywhere text-ink-2">
        {update.message}
      </p>
      <p>It is removed from the page and the feed. Emails already sent are not recalled. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
