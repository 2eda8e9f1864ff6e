import type { SearchGap } from "../../../../src/monitoring/logs/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { Timestamp } from "../../ui/timestamp.tsx";

/** Which logs were not searched, or not wholly, and why. */
export function Gaps({ gaps, total }: { gaps: readonly SearchGap[]; total: number }) {
  const nameOf = useHostName();
  if (total === 0) return null;
  return (
    <details className="my-2 text-ink-2">
      <summary className="cursor-pointer">{countOf(total, "log")} not searched completely</summary>
      <ul className="mt-1 flex flex-col gap-1 pl-4 text-xs">
        {gaps.map(({ container_id, container_name, agent_id, message, searched_since }) => (
          <li key={container_id} className="wrap-anywhere">
            <bdi className="font-[550] text-ink">{container_name}</bdi> on <bdi>{nameOf(hostId({ agent_id }))}</bdi>: {message}
            {searched_since !== null && (
              <>
                {" "}
                They go back to <Timestamp at={searched_since} />.
              </>
            )}
          </li>
        ))}
        {total > gaps.length && <li>{countOf(total - gaps.length, "more log")}</li>}
      </ul>
    </details>
  );
}
