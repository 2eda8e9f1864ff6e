import { Link } from "@tanstack/react-router";
import { useHostName } from "../../app/hosts.ts";
import { Timestamp } from "../../ui/timestamp.tsx";

/** Whose host does not come through, and since when; nothing while it does, or for what this server looks at itself. */
export function HostLost({ record: { agent_id: id }, since }: { record: { agent_id: string | null }; since: string | undefined }) {
  const nameOf = useHostName();
  if (id === null || since === undefined) return null;
  return (
    <span className="text-ink-2">
      <Link to="/hosts/$id" params={{ id }} className="hover:text-ink hover:underline">
        <bdi>{nameOf(id)}</bdi>
      </Link>
      , not connected since <Timestamp at={since} precision="minute" />
    </span>
  );
}
