import { useQueryClient } from "@tanstack/react-query";
import { AGENT_LABEL_LENGTH } from "../../../../../src/contract/agent.ts";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import { renameAgent } from "../../../api/agents.ts";
import { hostsQuery } from "../../../api/queries.ts";
import { TextField } from "../../../ui/field.tsx";
import { labelFault } from "../draft.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";

/** Gives a host another label. */
export function RenameDialog({ agent, onClose }: { agent: AgentRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { label: agent.label },
    read({ label }) {
      const wrong = labelFault(label);
      return wrong === undefined ? { body: { label: label.trim() } } : { faults: { label: wrong } };
    },
    save: ({ label }: { label: string }) => renameAgent(agent.id, label),
    fields: ["label"],
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["agents"] });
      void queryClient.invalidateQueries({ queryKey: hostsQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title={`Rename ${agent.label}`} action="Rename" failure="The host was not renamed." {...form} onClose={onClose}>
      <TextField
        label="Label"
        hint="Shown in Binnacle. The host name does not change."
        fault={fault("label")}
        // What is too long is reported, not cut.
        maxLength={2 * AGENT_LABEL_LENGTH}
        value={draft.label}
        onChange={(label) => change({ label })}
      />
    </FormDialog>
  );
}
