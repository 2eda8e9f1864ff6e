import { useQuery } from "@tanstack/react-query";
import { runtimeStatusQuery } from "../../api/queries.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";

/** What the runtime of this host denies, and how to allow it: why figures may be missing. */
export function MissingRights() {
  const { data } = useQuery(runtimeStatusQuery);
  return data?.missing.map((sentence) => (
    <p key={sentence} className="flex items-start gap-2 border-t border-line py-2 text-ink-2">
      <StatusIcon status="degraded" className="mt-1" />
      {sentence}
    </p>
  ));
}
