import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useLive } from "../api/live.ts";
import { runtimeStatusQuery } from "../api/queries.ts";
import { runtimeName } from "../format/runtime-name.ts";
import { Timestamp } from "../ui/timestamp.tsx";

/** Whether what is shown is how it was last seen, not how it is. */
export function useIsStale(): boolean {
  const connected = useQuery(runtimeStatusQuery).data?.connected;
  return useLive().phase === "offline" || connected === false;
}

/** Says that the container runtime cannot be reached, since when, why, and what to do; nothing while it can. */
export function RuntimeNotice() {
  const { data } = useQuery(runtimeStatusQuery);
  if (data === undefined || data.connected) return null;
  return (
    <div role="alert" className="mt-4 flex gap-3 rounded border border-line bg-down-soft px-4 py-3">
      <Unplug size={16} aria-hidden className="mt-0.5 shrink-0 text-down" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-[550]">
          {runtimeName(data.runtime)} cannot be reached since <Timestamp at={data.since} />
        </p>
        {data.error !== null && (
          <p dir="auto" className="max-w-[90ch] wrap-anywhere text-ink-2">
            {data.error}
          </p>
        )}
        <p className="text-ink-2">What is shown below is how it was last seen. Binnacle keeps trying, and catches up by itself.</p>
      </div>
    </div>
  );
}
