import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import { agentsQuery, deleteAgent, revokeAgent } from "../../../api/agents.ts";
import { withoutAgent } from "../../../api/apply-agent.ts";
import { hostsQuery } from "../../../api/queries.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TypedConfirmDialog } from "../../../ui/typed-confirm-dialog.tsx";

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
        The connection of <bdi className="font-[550] wrap-anywhere">{label}</bdi> closes now, and its agent can never reconnect. Its history
        is kept. This cannot be undone. To monitor the host again, add it with a new token and an empty data folder.
      </p>
      {revoking.isError && (
        <ErrorNote what="The host was not revoked." error={revoking.error}>
          Monitoring continues.
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
        <bdi className="font-[550] wrap-anywhere">{label}</bdi> will be deleted with all its data: containers and their history, metrics,
        endpoints, certificates and alerts. This cannot be undone. The host itself is not touched: the agent keeps running there until you
        stop it, but can no longer connect.
      </p>
      {deleting.isError && (
        <ErrorNote what="The host was not deleted." error={deleting.error}>
          Nothing was lost.
        </ErrorNote>
      )}
    </TypedConfirmDialog>
  );
}
