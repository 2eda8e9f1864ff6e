import { History } from "lucide-react";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { clockWords, droppedWords, queueWords } from "./words.ts";

interface Properties {
  agent: Pick<AgentRecord, "spool" | "clock_offset_ms">;
  className?: string;
}

/** What is unusual about an agent: that it catches up, lost something, has another time. Nothing where nothing is. */
export function HostMarks({ agent: { spool, clock_offset_ms }, className }: Properties) {
  const queue = queueWords(spool);
  const dropped = droppedWords(spool);
  const clock = clockWords(clock_offset_ms);
  if (queue === undefined && dropped === undefined && clock === undefined) return null;
  return (
    <ul className={classNames("flex flex-wrap gap-x-3 text-xs text-ink-2 tabular-nums", className)} aria-label="Notes">
      {queue !== undefined && (
        <li className="flex items-center gap-1.5">
          <History size={11} aria-hidden className="shrink-0 text-ink-3" />
          {queue}
        </li>
      )}
      {dropped !== undefined && (
        <li className="flex items-center gap-1.5">
          <StatusIcon status="degraded" size={10} />
          {dropped}
        </li>
      )}
      {clock !== undefined && (
        <li className="flex items-center gap-1.5">
          <StatusIcon status="degraded" size={10} />
          {clock}
        </li>
      )}
    </ul>
  );
}
