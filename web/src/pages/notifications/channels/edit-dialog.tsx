import { useQueryClient } from "@tanstack/react-query";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { updateChannel } from "../../../api/channels.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { ChannelFields } from "./channel-fields.tsx";
import { CHANNEL_FIELDS, draftOf, readChange, withAddressParts } from "./draft.ts";

/** Changes a channel. Secrets that are not typed again stay unchanged. */
export function EditDialog({ channel, onClose }: { channel: ChannelRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: draftOf(channel),
    read: readChange,
    save: (body, changes) => updateChannel(channel.id, withAddressParts(body, changes)),
    fields: CHANNEL_FIELDS,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["channels"] });
      onClose();
    },
  });
  return (
    <FormDialog title={`Edit ${channel.name}`} action="Save" failure="The channel was not saved." {...form} onClose={onClose}>
      <ChannelFields draft={draft} change={change} fault={fault} saved={channel} />
    </FormDialog>
  );
}
