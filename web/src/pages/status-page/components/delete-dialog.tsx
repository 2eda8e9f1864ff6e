import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { componentsQuery, deleteComponent, deleteGroup, groupsQuery } from "../../../api/status-components.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import type { Piece } from "../arrangement.ts";

/** Deletes a component or a group, once it is confirmed by its name. */
export function DeleteDialog({ piece: { kind, id }, onClose }: { piece: Piece; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { data: components } = useQuery(componentsQuery);
  const { data: groups } = useQuery(groupsQuery);
  const named = kind === "group" ? groups?.groups.find((group) => group.id === id) : components?.components.find((each) => each.id === id);
  const removal = useMutation({
    mutationFn: () => (kind === "group" ? deleteGroup(id) : deleteComponent(id)),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ["status", "components"] });
      await queryClient.invalidateQueries({ queryKey: ["status", "groups"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Delete ${named?.name ?? kind}?`}
      action={kind === "group" ? "Delete group" : "Delete component"}
      mutation={removal}
      failure="It was not deleted."
      onClose={onClose}
    >
      {kind === "group" ? (
        <p>Its components stay on the page without a group.</p>
      ) : (
        <p>It is removed from the page with its 90 days of history. This cannot be undone. To hide it only, edit it.</p>
      )}
    </ConfirmDialog>
  );
}
