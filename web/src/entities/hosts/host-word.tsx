import type { HostState } from "./host-state.ts";
import { Age } from "../../ui/age.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";

/** How a host is reached, and since when it is not. */
export function HostWord({ state: { status, word, since } }: { state: HostState }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <StatusIcon status={status} />
      <span>
        {word}
        {since !== null && (
          <>
            {" "}
            for <Age at={since} />
          </>
        )}
      </span>
    </span>
  );
}
