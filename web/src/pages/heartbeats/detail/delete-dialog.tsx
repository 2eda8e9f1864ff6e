import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { deleteHeartbeat, heartbeatsQuery } from "../../../api/heartbeat-queries.ts";
import { withoutRow } from "../../../api/live-heartbeats.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TypedConfirmDialog } from "../../../ui/typed-confirm-dialog.tsx";

/** Deletes a heartbeat once its name was typed. */
export function DeleteDialog({ heartbeat, onClose }: { heartbeat: HeartbeatRecord; onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteHeartbeat(heartbeat.id),
    onSuccess() {
      queryClient.setQueryData(heartbeatsQuery.queryKey, (list) => list && withoutRow(list, heartbeat.id));
      void navigate({ to: "/heartbeats", replace: true });
    },
  });
  return (
    <TypedConfirmDialog
      title="Delete this heartbeat?"
      action="Delete heartbeat"
      doing="Deleting"
      name={heartbeat.name}
      isPending={deleting.isPending}
      onCancel={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <p>
        <bdi className="font-[550] wrap-anywhere">{heartbeat.name}</bdi> will be deleted with its runs, pings and uptime. Jobs that still
        ping it get 404. This cannot be undone. To stop monitoring only, pause it.
      </p>
      {deleting.error !== null && (
        <ErrorNote what="The heartbeat was not deleted." error={deleting.error}>
          Nothing changed.
        </ErrorNote>
      )}
    </TypedConfirmDialog>
  );
}
