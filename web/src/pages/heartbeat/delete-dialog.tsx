import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/api.ts";
import { deleteHeartbeat, heartbeatsQuery } from "../../api/heartbeat-queries.ts";
import { withoutRow } from "../../api/live-heartbeats.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, TextInput } from "../../ui/field.tsx";

/** Deletes a heartbeat once its name was typed. */
export function DeleteDialog({ heartbeat, onClose }: { heartbeat: HeartbeatRecord; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isConfirmed = typed.trim() === heartbeat.name.trim();
  const deleting = useMutation({
    mutationFn: () => deleteHeartbeat(heartbeat.id),
    onSuccess() {
      queryClient.setQueryData(heartbeatsQuery.queryKey, (list) => list && withoutRow(list, heartbeat.id));
      void navigate({ to: "/heartbeats", replace: true });
    },
  });
  return (
    <Dialog open onClose={onClose} title="Delete this heartbeat?" initialFocus={field}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !deleting.isPending) deleting.mutate();
        }}
      >
        <p>
          <bdi className="font-[550] wrap-anywhere">{heartbeat.name}</bdi> is deleted with its runs, pings and uptime. A job that still
          calls its address gets 404. This cannot be undone; to stop only the checking, pause it.
        </p>
        <Field label={`Type ${heartbeat.name} to confirm`}>
          {(control) => <TextInput {...control} ref={field} value={typed} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        {deleting.error !== null && (
          <ErrorNote what="The heartbeat was not deleted." error={deleting.error}>
            It goes on as before.
          </ErrorNote>
        )}
        <div className="flex gap-2">
          <Button type="submit" kind="danger" disabled={!isConfirmed || deleting.isPending}>
            {deleting.isPending ? "Deleting" : "Delete heartbeat"}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
