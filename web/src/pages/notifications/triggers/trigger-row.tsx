import { useState } from "react";
import type { TriggerRecord } from "../../../../../src/alerting/routing/answers.ts";
import { deleteTrigger, updateTrigger } from "../../../api/triggers.ts";
import { Button } from "../../../ui/button.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { RowActions } from "../row-actions.tsx";
import { useChannelName } from "../../../entities/alerts/use-channel-name.ts";
import { useEntityName } from "../../../entities/notifications/entity-options.ts";
import { alertsWords } from "../../../entities/notifications/filter-words.ts";
import { draftOf, filtersOf, settingsOf } from "./draft.ts";
import { WhatIf } from "./what-if.tsx";

/** One trigger: which alerts, to which channels, and what it would have done. */
export function TriggerRow({ trigger, onEdit }: { trigger: TriggerRecord; onEdit: () => void }) {
  const nameOf = useEntityName();
  const channelName = useChannelName();
  const [isTrying, setTrying] = useState(false);
  const { id, name, enabled, notify_on_resolve, channel_ids } = trigger;
  const filters = filtersOf(trigger);
  return (
    <li className="border-b border-line py-2.5 md:px-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-[550] wrap-anywhere">
              <bdi>{name}</bdi>
            </span>
            <span className="inline-flex items-center gap-2 text-ink-2">
              <StatusIcon status={enabled ? "ok" : "idle"} size={10} />
              {enabled ? "Enabled" : "Disabled"}
            </span>
          </p>
          <p dir="auto" className="mt-0.5 max-w-[110ch] wrap-anywhere text-ink-2">
            {alertsWords({ ...filters, entities: filters.entities.map(nameOf) })} <span aria-hidden>→</span>
            <span className="sr-only">go to</span> <span className="text-ink">{channel_ids.map(channelName).join(", ")}</span>
            {!notify_on_resolve && ", no resolve notifications"}
          </p>
        </div>
        <RowActions
          name={name}
          isEnabled={enabled}
          noun="trigger"
          queryKey={["triggers"]}
          onToggle={(next) => updateTrigger(id, { enabled: next })}
          onEdit={onEdit}
          onDelete={() => deleteTrigger(id)}
          loss="It sends no more alerts. Channels and their rules are kept."
        >
          <Button aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
            Preview<span className="sr-only"> {name}</span>
          </Button>
        </RowActions>
      </div>
      {isTrying && <WhatIf settings={settingsOf(draftOf(trigger))} startsAtOnce />}
    </li>
  );
}
