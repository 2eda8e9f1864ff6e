import { Link } from "@tanstack/react-router";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { hostId, hostLabel } from "../../app/host-id.ts";
import { Name } from "../../ui/name.tsx";

/** The name of a host, which leads to its page. */
export function HostLink({ host }: { host: Pick<HostRecord, "agent_id" | "label"> }) {
  return (
    <Link to="/hosts/$id" params={{ id: hostId(host) }} className="block font-[550] hover:underline">
      <Name>{hostLabel(host)}</Name>
    </Link>
  );
}
