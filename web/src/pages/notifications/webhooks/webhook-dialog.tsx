import { useQueryClient } from "@tanstack/react-query";
import { WEBHOOK_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { CreateBody } from "../../../../../src/publishing/webhooks/api.ts";
import type { CreatedWebhook, WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import { createWebhook, updateWebhook } from "../../../api/webhooks.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field, TextField, TextInput } from "../../../ui/field.tsx";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { draftOf, makeSecret, NEW_WEBHOOK, readDraft, WEBHOOK_FIELDS } from "./draft.ts";
import { chooseEvents, EVENT_OPTIONS } from "./event-options.ts";

interface Properties {
  /** The one that is changed; undefined: a new one is made. */
  webhook: WebhookRecord | undefined;
  onClose: () => void;
  onCreated: (created: CreatedWebhook) => void;
}

/** Makes or changes a webhook subscription. */
export function WebhookDialog({ webhook, onClose, onCreated }: Properties) {
  const queryClient = useQueryClient();

  /** Answers what was made, with its secret; of a change nothing. */
  async function save(body: CreateBody, changes: Partial<CreateBody>): Promise<CreatedWebhook | undefined> {
    if (webhook === undefined) return createWebhook(body);
    await updateWebhook(webhook.id, changes);
    return undefined;
  }

  const { draft, change, fault, form } = useDraft({
    initial: webhook === undefined ? NEW_WEBHOOK : draftOf(webhook),
    read: readDraft,
    save,
    fields: WEBHOOK_FIELDS,
    onSaved(created) {
      void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      onClose();
      if (created !== undefined) onCreated(created);
    },
  });
  return (
    <FormDialog
      title={webhook === undefined ? "New webhook" : `Edit ${webhook.name}`}
      action={webhook === undefined ? "Add webhook" : "Save"}
      failure="The webhook was not saved."
      {...form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isRequired
        fault={fault("name")}
        maxLength={WEBHOOK_BOUNDS.nameLength}
        placeholder="Ticket system"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="URL"
        isRequired
        hint={
          webhook === undefined
            ? "https. Receives JSON via POST."
            : "*** hides secrets. They stay unchanged unless you enter another address."
        }
        fault={fault("url")}
        inputMode="url"
        maxLength={WEBHOOK_BOUNDS.urlLength}
        placeholder="https://tickets.example.com/hooks/binnacle"
        value={draft.url}
        onChange={(url) => change({ url })}
      />
      <ManyPicker
        label="Events"
        hint="Type to search: alert, restart, heartbeat. * matches all events, alert.* all alert events."
        fault={fault("event_types")}
        placeholder="Type to search"
        none="No matching event."
        options={EVENT_OPTIONS}
        values={draft.eventTypes}
        onChange={(next) => change({ eventTypes: chooseEvents(draft.eventTypes, next) })}
      />
      {webhook === undefined ? (
        <p className="text-sm text-ink-2">A signing secret is generated and shown once.</p>
      ) : (
        <Field
          label="New secret"
          hint={
            draft.secret === "" ? "Leave empty to keep the current signing secret." : "Copy it to the receiver now: it is not shown again."
          }
          fault={fault("secret")}
        >
          {(control) => (
            <div className="flex gap-2">
              <TextInput
                {...control}
                className="font-mono text-xs"
                maxLength={WEBHOOK_BOUNDS.secretLength.max}
                value={draft.secret}
                onChange={(event) => change({ secret: event.target.value })}
              />
              {draft.secret !== "" && <CopyButton text={draft.secret} label="Copy secret" />}
              <Button onClick={() => change({ secret: makeSecret() })}>Generate</Button>
            </div>
          )}
        </Field>
      )}
      <CheckBox
        label="Enabled"
        hint={webhook?.disabled_reason ?? undefined}
        checked={draft.active}
        onChange={(active) => change({ active })}
      />
    </FormDialog>
  );
}
