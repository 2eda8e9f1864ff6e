import { useQueryClient } from "@tanstack/react-query";
import { UPDATE_BOUNDS } from "../../../../src/contract/updates.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { pinContainer } from "../../api/updates.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { Summary } from "../../ui/summary.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { stepOf } from "./words.ts";

/** Keeps a container at what it runs, and asks why. */
export function PinDialog({ update, onClose }: { update: UpdateRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { reason: "" },
    read: ({ reason }) => ({ body: reason.trim() || null }),
    save: (reason: string | null) => pinContainer(update.container_id, reason),
    fields: ["reason"],
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["updates"] });
      onClose();
    },
  });
  return (
    <FormDialog title="Pin container" action="Pin" failure="The container was not pinned." {...form} onClose={onClose}>
      <p className="wrap-anywhere">
        <bdi className="font-[550]">{update.container_name}</bdi> stays at <bdi>{stepOf({ ...update, update_type: null }).from}</bdi>.
      </p>
      <p className="text-ink-2">Newer images are still shown, but no alerts are sent and the active one is resolved. Unpin it here.</p>
      <Field label="Reason (optional)" hint="Shown with the pin." fault={fault("reason")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={UPDATE_BOUNDS.reasonLength}
            placeholder="Waiting for the new database driver"
            value={draft.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        )}
      </Field>
      {update.current_tag !== null && (
        <details>
          <Summary>The same as a label</Summary>
          <div className="mt-2">
            <CommandLine command={`labels:\n  service.update.pin: ${JSON.stringify(update.current_tag)}`} />
          </div>
        </details>
      )}
    </FormDialog>
  );
}
