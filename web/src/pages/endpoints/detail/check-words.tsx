import type { CheckRecord } from "../../../../../src/monitoring/endpoints/answers.ts";
import { capitalised } from "../../../format/sentence.ts";
import { FAILURE_WORDS } from "../../../format/endpoint-status.ts";
import { formatMilliseconds } from "../../../format/milliseconds.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";

/** The result of one check: `Answered HTTP 200 in 38 ms`, or why it failed. */
export function CheckWords({ check }: { check: CheckRecord }) {
  const { status, words } = describeCheck(check);
  return (
    <span className="inline-flex min-w-0 items-baseline gap-2">
      <StatusIcon status={status} size={10} className="translate-y-px" />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {words}
      </span>
    </span>
  );
}

function describeCheck({ observed, success, http_status, response_time_ms, failure_class, error }: CheckRecord) {
  const inTime = response_time_ms === null ? "" : ` in ${formatMilliseconds(response_time_ms)}`;
  if (!observed) return { status: "idle" as const, words: `Not monitored: ${error ?? "this host had no network"}` };
  if (success) return { status: "ok" as const, words: `Answered${http_status === null ? "" : ` HTTP ${http_status}`}${inTime}` };
  // The error names the status itself.
  if (failure_class === "http" && error !== null) return { status: "down" as const, words: capitalised(error) };
  const kind = failure_class === null ? "Failed" : capitalised(FAILURE_WORDS[failure_class]);
  return { status: "down" as const, words: error === null ? kind : `${kind}: ${error}` };
}
