import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { MaintenanceRecord } from "../../../../src/alerting/suppression/answers.ts";
import { deleteWindow, updateWindow } from "../../api/silences.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useServerTime } from "../../app/server-time.ts";
import { useComponentName } from "../status-page/use-component-names.ts";
import { WINDOW_WORDS } from "./silence-words.ts";
import { Span } from "./span.tsx";
import { useNames } from "./use-names.ts";

/** One maintenance window: what it covers and when. */
export function WindowRow({ window, onEdit }: { window: MaintenanceRecord; onEdit: () => void }) {
  const names = useNames();
  const { status, word } = WINDOW_WORDS[window.status];
  const componentName = useComponentName();
  const covered = [
    ...window.components.map(componentName),
    ...window.entities.map(({ entity_type, entity_id }) => names.entity(`${entity_type}:${entity_id}`)),
  ];
  return (
    <li className="border-b border-line py-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-4 gap-y-1.5 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="font-[550] wrap-anywhere">
            <bdi>{window.title}</bdi>
          </p>
          {window.description !== "" && (
            <p dir="auto" className="mt-0.5 max-w-[110ch] wrap-anywhere text-ink-2">
              {window.description}
            </p>
          )}
          <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-sm">
            <span className="inline-flex items-center gap-2">
              <StatusIcon status={status} size={10} />
              {word}
            </span>
            <Span from={window.starts_at} until={window.ends_at} />
            <span className="min-w-0 wrap-anywhere text-ink-2">
              <bdi>{covered.join(", ")}</bdi>
            </span>
          </p>
        </div>
        <Actions window={window} onEdit={onEdit} />
      </div>
    </li>
  );
}

function Actions({ window: { id, title, status }, onEdit }: { window: MaintenanceRecord; onEdit: () => void }) {
  const queryClient = useQueryClient();
  const serverTime = useServerTime();
  const reread = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["maintenance"] });
  const ending = useMutation({ mutationFn: () => updateWindow(id, { ends_at: new Date(serverTime()).toISOString() }), onSuccess: reread });
  const removal = useMutation({ mutationFn: () => deleteWindow(id), onSuccess: reread });
  const of = <span className="sr-only"> {title}</span>;
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {status === "active" && (
          <Button disabled={ending.isPending} onClick={() => ending.mutate()}>
            End now{of}
          </Button>
        )}
        {status !== "ended" && <Button onClick={onEdit}>Edit{of}</Button>}
        <ConfirmButton
          label={<>Delete{of}</>}
          title={`Delete ${title}?`}
          action="Delete window"
          mutation={removal}
          failure="It was not deleted."
        >
          <p>{status === "active" ? "It ends now, and alerts are sent again. " : ""}Its record is deleted. This cannot be undone.</p>
        </ConfirmButton>
      </div>
      {ending.isError && <ErrorNote what="It was not ended." error={ending.error} />}
    </div>
  );
}
