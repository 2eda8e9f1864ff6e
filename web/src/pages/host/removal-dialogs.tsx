import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AgentRecord } from "../../../../src/fleet/agents/api.ts";
import { agentsQuery, deleteAgent, revokeAgent } from "../../api/agents.ts";
import { withoutAgent } from "../../api/apply-agent.ts";
import { hostsQuery } from "../../api/queries.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TypedConfirmDialog } from "../../ui/typed-confirm-dialog.tsx";

interface Properties {
  agent: AgentRecord;
  onClose: () => void;
}

/** Shuts an agent out once its label was typed. */
export function RevokeDialog({ agent: { id, label }, onClose }: Properties) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeAgent(id),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: ["agents"] });
      onClose();
    },
  });
  return (
    <TypedConfirmDialog
      title="Revoke this host?"
      action="Revoke host"
      doing="Revoking"
      name={label}
      isPending={revoking.isPending}
      onCancel={onClose}
      onConfirm={() => revoking.mutate()}
    >
      <p>
        The stream of <bdi className="font-[550] wrap-anywhere">{label}</bdi> is closed at once, and its agent is never let in again. What
        it showed so far is kept. This cannot be undone; to watch the host again, add it anew, with a new token and an empty data folder.
      </p>
      {revoking.isError && (
        <ErrorNote what="The host was not revoked." error={revoking.error}>
          It is watched as before.
        </ErrorNote>
      )}
    </TypedConfirmDialog>
  );
}

/** Deletes an agent with all that its host showed, once its label was typed. */
export function DeleteDialog({ agent: { id, label }, onClose }: Properties) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => deleteAgent(id),
    async onSuccess() {
      // Who looked at this host alone would see nothing any more.
      await navigate({
        to: "/hosts",
        search: (search) => ({ agent_id: search.agent_id === id ? undefined : search.agent_id }),
        replace: true,
      });
      queryClient.setQueryData(agentsQuery.queryKey, (list) => list && withoutAgent(list, id));
      for (const queryKey of [["agents"], hostsQuery.queryKey, ["containers"]]) void queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <TypedConfirmDialog
      title="Delete this host?"
      action="Delete host"
      doing="Deleting"
      name={label}
      isPending={deleting.isPending}
      onCancel={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <p>
        <bdi className="font-[550] wrap-anywhere">{label}</bdi> is deleted with all that it ever showed: its containers and their history,
        its figures, endpoints, certificates and alerts. This cannot be undone. Nothing on the host itself is touched: its agent runs on
        until it is stopped there, and is not let in any more.
      </p>
      {deleting.isError && (
        <ErrorNote what="The host was not deleted." error={deleting.error}>
          Nothing of it is lost.
        </ErrorNote>
      )}
    </TypedConfirmDialog>
  );
}
