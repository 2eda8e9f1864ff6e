import type { SearchGap } from "../../../../src/monitoring/logs/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Summary } from "../../ui/summary.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { groupGaps, type GapGroup } from "./gap-groups.ts";

/** That not all was searched, how many logs, and why: a text that is not found may stand in these. */
export function Gaps({ gaps, total }: { gaps: readonly SearchGap[]; total: number }) {
  if (total === 0) return null;
  return (
    <div role="note" className="my-2 flex gap-3 rounded border border-line bg-sunken px-4 py-2">
      <StatusIcon status="idle" className="mt-1 shrink-0" />
      <div className="min-w-0">
        <p className="font-[550]">{countOf(total, "log")} not searched completely</p>
        {groupGaps(gaps, total).map((group) => (
          <Group key={group.message} {...group} />
        ))}
      </div>
    </div>
  );
}

function Group({ message, gaps, count }: GapGroup) {
  const nameOf = useHostName();
  return (
    <details className="text-ink-2">
      <Summary>
        <span className="min-w-0 wrap-anywhere">
          {count !== undefined && `${countOf(count, "log")}: `}
          {message}
        </span>
      </Summary>
      <ul className="mt-1 flex max-h-48 flex-col gap-1 overflow-y-auto pl-4 text-xs">
        {gaps.map(({ container_id, container_name, agent_id, searched_since }) => (
          <li key={container_id} className="wrap-anywhere">
            <bdi className="font-[550] text-ink">{container_name}</bdi> on <bdi>{nameOf(hostId({ agent_id }))}</bdi>
            {searched_since !== null && (
              <>
                , back to <Timestamp at={searched_since} />
              </>
            )}
          </li>
        ))}
        {count !== undefined && count > gaps.length && <li>{countOf(count - gaps.length, "more log")}</li>}
      </ul>
    </details>
  );
}
