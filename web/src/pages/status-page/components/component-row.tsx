import { Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ComponentRecord } from "../../../../../src/publishing/status/components/answers.ts";
import { Age } from "../../../ui/age.tsx";
import { Button } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Percent } from "../../../ui/percent.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { MONITOR_WORDS, shownWords } from "../words.ts";

interface Properties {
  component: ComponentRecord;
  handle: ReactNode;
  onEdit: () => void;
  onDelete: () => void;
}

/** One component: its status and what it comes from, and what is done with it. */
export function ComponentRow({ component, handle, onEdit, onDelete }: Properties) {
  const { id, name, status_since, uptime_90d, needs_attention } = component;
  const { status: shape, word } = needs_attention ? NOT_SHOWN : shownWords(component);
  return (
    <>
      <div className="grid grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-1.5 py-1.5 sm:grid-cols-[2rem_minmax(0,1fr)_9rem_4rem_auto]">
        {handle}
        <div className="min-w-0">
          <p className="truncate font-[550]">
            <bdi title={name}>{name}</bdi>
          </p>
          <Source component={component} />
        </div>
        <div className="text-sm max-sm:col-start-2 max-sm:row-start-2 max-sm:flex max-sm:gap-2">
          <Changed value={word} className="inline-flex items-center gap-2">
            <StatusIcon status={shape} size={10} />
            {word}
          </Changed>
          {!needs_attention && (
            <span className="block text-xs text-ink-2 sm:pl-[18px]">
              for <Age at={status_since} />
            </span>
          )}
        </div>
        <span className="text-right text-sm max-sm:hidden" title="Uptime over the last 90 days">
          <Percent value={uptime_90d} />
        </span>
        <div className="flex max-sm:col-start-3 max-sm:row-start-1">
          <IconButton icon={Pencil} label={`Edit ${name}`} id={`edit-component-${id}`} onClick={onEdit} />
          <IconButton icon={Trash2} label={`Delete ${name}`} onClick={onDelete} />
        </div>
      </div>
      {needs_attention && <Gone component={component} onEdit={onEdit} onDelete={onDelete} />}
    </>
  );
}

const NOT_SHOWN = { status: "idle", word: "Hidden" } as const;

/** What it stands for, and what else is set. */
function Source({ component }: { component: ComponentRecord }) {
  const { monitor_type, monitor_id, monitor_name, needs_attention, visible, status_override, auto_incident } = component;
  const marks = [
    ...(visible ? [] : ["hidden"]),
    ...(status_override === null ? [] : ["status set manually"]),
    ...(auto_incident ? ["creates incidents"] : []),
  ];
  return (
    <p className="text-xs text-ink-2 max-sm:wrap-anywhere sm:truncate">
      {MONITOR_WORDS[monitor_type].one}{" "}
      {needs_attention ? (
        <bdi>{monitor_name}</bdi>
      ) : (
        <EntityLink type={monitor_type} id={String(monitor_id)} className="underline-offset-2 hover:underline">
          <bdi>{monitor_name}</bdi>
        </EntityLink>
      )}
      {marks.map((mark) => (
        <span key={mark}> · {mark}</span>
      ))}
    </p>
  );
}

/** What it stood for is not there any more. */
function Gone({ component: { monitor_type, name }, onEdit, onDelete }: Omit<Properties, "handle">) {
  const kind = MONITOR_WORDS[monitor_type].one.toLowerCase();
  return (
    <div className="mb-2 ml-9 flex flex-wrap items-center gap-x-3 gap-y-2 rounded bg-degraded-soft px-3 py-2 text-sm">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <StatusIcon status="degraded" size={12} className="mt-[3px]" />
        <span>
          Its {kind} no longer exists, so it is hidden. Choose another or delete it.
          {monitor_type === "container" && " If a container with that name returns, the component is shown again with its history."}
        </span>
      </p>
      <span className="flex gap-2">
        <Button onClick={onEdit}>
          Choose another<span className="sr-only"> for {name}</span>
        </Button>
        <Button kind="danger" onClick={onDelete}>
          Delete<span className="sr-only"> {name}</span>
        </Button>
      </span>
    </div>
  );
}
