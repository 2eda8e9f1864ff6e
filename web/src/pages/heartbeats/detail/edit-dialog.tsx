import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreateBody, UpdateBody } from "../../../../../src/monitoring/heartbeats/api.ts";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { heartbeatQuery, updateHeartbeat } from "../../../api/heartbeat-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { draftOf, readDraft } from "../../../entities/heartbeats/draft.ts";
import { changesOf } from "../../../ui/forms/changes.ts";
import { HeartbeatForm } from "./heartbeat-form.tsx";

/** Changes the settings of a heartbeat. */
export function EditDialog({ heartbeat, onClose }: { heartbeat: HeartbeatRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  // As it was when the window was opened: news of it do not undo what is being written.
  const [initial] = useState(() => draftOf(heartbeat));
  const { queryKey } = heartbeatQuery(heartbeat.id);
  const saving = useMutation({
    mutationFn: (body: UpdateBody) => updateHeartbeat(heartbeat.id, body),
    onSuccess(saved) {
      queryClient.setQueryData(queryKey, (detail) => detail && { ...detail, heartbeat: saved });
      // Its snippets show its schedule and name.
      void queryClient.invalidateQueries({ queryKey });
      onClose();
    },
  });

  function save(body: CreateBody): void {
    const first = readDraft(initial);
    const changes = "body" in first ? changesOf(first.body, body) : body;
    if (Object.keys(changes).length === 0) onClose();
    else saving.mutate(changes);
  }

  return (
    <Dialog open onClose={onClose} title={`Edit ${heartbeat.name}`} guardsInput>
      <HeartbeatForm
        initial={initial}
        submitLabel="Save"
        failure="The changes were not saved."
        isSaving={saving.isPending}
        error={saving.error}
        onSubmit={save}
      >
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </HeartbeatForm>
    </Dialog>
  );
}
