import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { SCOPES } from "../../../../src/contract/scope.ts";
import type { ScopeThresholds } from "../../../../src/monitoring/resources/answers.ts";
import { deleteScopeThresholds } from "../../api/queries.ts";
import { useHostName } from "../../app/hosts.ts";
import { scopeWords } from "../../entities/thresholds/words.ts";
import { countOf } from "../../format/number.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { rereadThresholds } from "./reread-thresholds.ts";
import { keyOf } from "./scope-draft.ts";
import { durationWords, limitWords } from "./threshold-words.ts";

/** The thresholds of groups and hosts; each opens its form. */
export function ScopeRows({ scopes, onEdit }: { scopes: readonly ScopeThresholds[]; onEdit: (scope: ScopeThresholds) => void }) {
  const [removed, setRemoved] = useState<ScopeThresholds | undefined>(undefined);
  return (
    <>
      <ul aria-label="Thresholds of groups and hosts" className="mb-4">
        {scopes.map((scope) => (
          <Row key={keyOf(scope)} scope={scope} onEdit={() => onEdit(scope)} onRemove={() => setRemoved(scope)} />
        ))}
      </ul>
      {removed !== undefined && <RemoveDialog scope={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

function Row({ scope, onEdit, onRemove }: { scope: ScopeThresholds; onEdit: () => void; onRemove: () => void }) {
  const nameOfHost = useHostName();
  const { entity_type: type, entity_id: id, containers, exceeded, debounce_seconds: debounce } = scope;
  const name = type === SCOPES.host ? nameOfHost(id) : id;
  return (
    <li className="relative grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-1 hover:bg-hover has-[button:focus-visible]:outline-2 has-[button:focus-visible]:outline-accent sm:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_auto_auto]">
      <button
        type="button"
        onClick={onEdit}
        className="flex min-w-0 items-baseline gap-2 text-left outline-none after:absolute after:inset-0"
      >
        <span className="sr-only">Edit thresholds of</span>
        <Name className="font-[550]">{name}</Name>
        <span className="shrink-0 text-xs text-ink-3">{type === SCOPES.host ? "Host" : "Group"}</span>
      </button>
      <span className="text-ink-2 tabular-nums max-sm:col-start-1 max-sm:text-sm">
        {limitWords(scope)}, {durationWords(debounce)}
      </span>
      <span className="inline-flex items-center gap-2 text-ink-2 max-sm:col-start-1 max-sm:text-sm">
        <StatusIcon status={containers === 0 ? "idle" : exceeded === 0 ? "ok" : "degraded"} />
        {exceeded === 0 ? countOf(containers, "container") : `${exceeded} of ${countOf(containers, "container")} above`}
      </span>
      <IconButton
        icon={Trash2}
        label={`Remove thresholds of the ${scopeWords(scope, nameOfHost)}`}
        className="relative max-sm:col-start-2 max-sm:row-start-1"
        onClick={onRemove}
      />
    </li>
  );
}

function RemoveDialog({ scope, onClose }: { scope: ScopeThresholds; onClose: () => void }) {
  const queryClient = useQueryClient();
  const nameOfHost = useHostName();
  const removal = useMutation({
    mutationFn: () => deleteScopeThresholds(scope),
    onSuccess() {
      rereadThresholds(queryClient);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Remove the thresholds of the ${scopeWords(scope, nameOfHost)}?`}
      action="Remove thresholds"
      mutation={removal}
      failure="They were not removed."
      onClose={onClose}
    >
      <p>
        {scope.entity_type === SCOPES.host
          ? "Containers without own thresholds or thresholds of their group are not watched any more."
          : "Containers without own thresholds get those of their host, if there are any."}
      </p>
    </ConfirmDialog>
  );
}
