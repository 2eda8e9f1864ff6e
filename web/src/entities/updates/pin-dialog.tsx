import { useQueryClient } from "@tanstack/react-query";
import { withoutTag } from "../../../../src/contract/image-pattern.ts";
import { UPDATE_BOUNDS } from "../../../../src/contract/updates.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { pinContainers } from "../../api/updates.ts";
import { countOf } from "../../format/number.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { TextField } from "../../ui/field.tsx";
import { Summary } from "../../ui/summary.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { stepOf } from "./words.ts";

interface Properties {
  first: UpdateRecord;
  /** The first and others of its image. */
  updates: readonly UpdateRecord[];
  onClose: () => void;
}

/** Keeps containers at what they run, and asks why. */
export function PinDialog({ first, updates, onClose }: Properties) {
  const isOne = updates.length === 1;
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { reason: "" },
    read: ({ reason }) => ({ body: reason.trim() || null }),
    save: (reason: string | null) =>
      pinContainers(
        updates.map(({ container_id }) => container_id),
        reason,
        // Some may be pinned though another failed.
      ).finally(() => void queryClient.invalidateQueries({ queryKey: ["updates"] })),
    fields: ["reason"],
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={isOne ? "Pin container" : `Pin ${countOf(updates.length, "container")}`}
      action="Pin"
      failure={isOne ? "The container was not pinned." : "Not all containers were pinned."}
      {...form}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {isOne ? (
          <>
            <bdi className="font-[550]">{first.container_name}</bdi> stays
          </>
        ) : (
          <>
            {countOf(updates.length, "container")} of <bdi className="font-[550]">{withoutTag(first.image)}</bdi> stay
          </>
        )}{" "}
        at <bdi>{stepOf({ ...first, update_type: null }).from}</bdi>.
      </p>
      <p className="text-ink-2">
        Newer images are still shown, but no alerts are sent and {isOne ? "the active one is" : "active ones are"} resolved. Unpin{" "}
        {isOne ? "it" : "them"} here.
      </p>
      <TextField
        label="Reason (optional)"
        hint="Shown with the pin."
        fault={fault("reason")}
        maxLength={UPDATE_BOUNDS.reasonLength}
        placeholder="Waiting for the new database driver"
        value={draft.reason}
        onChange={(reason) => change({ reason })}
      />
      {first.current_tag !== null && (
        <details>
          <Summary>The same as a label</Summary>
          <div className="mt-2">
            <CommandLine command={`labels:\n  service.update.pin: ${JSON.stringify(first.current_tag)}`} />
          </div>
        </details>
      )}
    </FormDialog>
  );
}
