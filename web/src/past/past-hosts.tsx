import { Link } from "@tanstack/react-router";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { hostId } from "../app/host-id.ts";
import { useHostName } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { countOf } from "../format/number.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Name } from "../ui/name.tsx";
import { StatusWord } from "../ui/status-word.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { pastHostStatus } from "./status.ts";

/** Which hosts were watched, with what was there. */
export function PastHosts({ moment: { hosts, containers, left_out: leftOut } }: { moment: Moment }) {
  const nameOf = useHostName();
  useTitle("Hosts");
  const watched = hosts.filter(({ is_watched: isWatched }) => isWatched).length;
  return (
    <>
      <PageHeader title="Hosts" note={`${watched} of ${countOf(hosts.length, "host")} monitored`} />
      {hosts.length === 0 && (
        <EmptyState title="No hosts then">
          <p>None was monitored then, or its history is no longer kept.</p>
        </EmptyState>
      )}
      <ul aria-label="Hosts at that moment" className="mt-4">
        {hosts.map((host) => {
          const count = containers.filter(({ agent_id: agentId }) => agentId === host.agent_id).length;
          return (
            <li
              key={hostId(host)}
              className="relative grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-1 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_8rem_8rem]"
            >
              <Link to="/hosts/$id" params={{ id: hostId(host) }} className="min-w-0 font-[550] outline-none after:absolute after:inset-0">
                <Name>{nameOf(hostId(host))}</Name>
              </Link>
              <StatusWord status={pastHostStatus(host)} />
              <span className="text-ink-2 max-md:text-sm">{leftOut === 0 && countOf(count, "container")}</span>
              <span className="text-right text-xs text-ink-2">
                {!host.is_watched && (
                  <>
                    last <Timestamp at={host.last_watched_at} precision="minute" />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
