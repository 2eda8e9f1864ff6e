import { useQueryClient } from "@tanstack/react-query";
import { COMPONENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { GroupRecord } from "../../../../../src/publishing/status/components/answers.ts";
import { createGroup, renameGroup } from "../../../api/status-components.ts";
import { TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";

/** Makes a group of components, or renames one. */
export function GroupDialog({ saved, onClose }: { saved: GroupRecord | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { name: saved?.name ?? "" },
    read: ({ name }) => (name.trim() === "" ? { faults: { name: "Enter a name." } } : { body: { name: name.trim() } }),
    save: (body: { name: string }) => (saved === undefined ? createGroup(body) : renameGroup(saved.id, body.name)),
    fields: ["name"],
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["status", "groups"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={saved === undefined ? "Add group" : `Rename ${saved.name}`}
      action={saved === undefined ? "Add group" : "Save"}
      failure="The group was not saved."
      {...form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isRequired
        hint="Drag components into it, or set the group in their form."
        fault={fault("name")}
        maxLength={COMPONENT_BOUNDS.nameLength}
        placeholder="Shop"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
    </FormDialog>
  );
}
