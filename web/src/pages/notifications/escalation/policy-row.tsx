import { useState } from "react";
import type { PolicyRecord } from "../../../../../src/alerting/escalation/answers.ts";
import { deletePolicy, updatePolicy } from "../../../api/policies.ts";
import { secondsWords } from "../../../format/schedule.ts";
import { Button } from "../../../ui/button.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { RowActions } from "../row-actions.tsx";
import { useChannelName } from "../../../entities/alerts/use-channel-name.ts";
import { alertsWords } from "../../../entities/notifications/filter-words.ts";
import { delayWords } from "./overlap-words.ts";
import { RunList } from "./run-list.tsx";

/** One policy: which alerts start it, its levels, and how it went lately. */
export function PolicyRow({ policy, onEdit }: { policy: PolicyRecord; onEdit: () => void }) {
  const channelName = useChannelName();
  const [showsRuns, setShowsRuns] = useState(false);
  const { id, name, active, filters, levels } = policy;
  return (
    <li className="border-b border-line py-3 md:px-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-[550] wrap-anywhere">
              <bdi>{name}</bdi>
            </span>
            <span className="inline-flex items-center gap-2 text-ink-2">
              <StatusIcon status={active ? "ok" : "idle"} size={10} />
              {active ? "Enabled" : "Disabled"}
            </span>
          </p>
          <p className="mt-0.5 wrap-anywhere text-ink-2">
            {alertsWords({ severities: filters.severities, sources: [], entities: [], tags: filters.tags })}, not acknowledged
          </p>
        </div>
        <RowActions
          name={name}
          isEnabled={active}
          noun="policy"
          queryKey={["policies"]}
          onToggle={(next) => updatePolicy(id, { active: next })}
          onEdit={onEdit}
          onDelete={() => deletePolicy(id)}
          loss="Its running escalations end without further notifications."
        >
          <Button aria-expanded={showsRuns} onClick={() => setShowsRuns(!showsRuns)}>
            Runs<span className="sr-only"> of {name}</span>
          </Button>
        </RowActions>
      </div>
      <Timeline levels={levels} channelName={channelName} />
      {showsRuns && <RunList policy={policy} />}
    </li>
  );
}

/** The levels of a policy along a line: when, and whom; from top to bottom on a phone. */
function Timeline({ levels, channelName }: { levels: PolicyRecord["levels"]; channelName: (id: number) => string }) {
  return (
    <ol className="mt-2 flex max-md:flex-col" aria-label="Levels">
      {levels.map(({ delay_seconds, channel_ids }, index) => (
        <li
          key={index}
          className="relative max-w-56 min-w-24 pr-6 max-md:max-w-none max-md:pb-2 max-md:pl-5 md:flex-1 md:pt-4 before:absolute before:bg-line-strong last:before:hidden max-md:before:top-3 max-md:before:bottom-0 max-md:before:left-[4px] max-md:before:w-px md:before:top-[4px] md:before:right-0 md:before:left-2 md:before:h-px"
        >
          <span aria-hidden className="absolute left-0 size-[9px] rounded-full border-2 border-accent bg-bg max-md:top-[5px] md:top-0" />
          <p className="text-xs text-ink-2 tabular-nums">{delayWords(secondsWords(delay_seconds))}</p>
          <p className="wrap-anywhere">
            <bdi>{channel_ids.map(channelName).join(", ")}</bdi>
          </p>
        </li>
      ))}
    </ol>
  );
}
