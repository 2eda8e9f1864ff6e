import { Link } from "@tanstack/react-router";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { HostName } from "../../app/host-name.tsx";
import { useNamesHosts } from "../../app/hosts.ts";
import { containerStatus } from "../../format/container-status.ts";
import { Age } from "../../ui/age.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";

const SHOWN = 6;

/** Whose state changed last. */
export function LatestChanges({ containers }: { containers: readonly ContainerRecord[] }) {
  const latest = containers.toSorted((one, other) => other.last_state_change_at.localeCompare(one.last_state_change_at)).slice(0, SHOWN);
  const withHost = useNamesHosts();
  return (
    <ul>
      {latest.map((container) => (
        <li
          key={container.id}
          className="relative grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_7rem] max-sm:py-2 border-t border-line first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
        >
          <span className="flex min-w-0 items-baseline gap-2">
            <Link
              to="/containers/$id"
              params={{ id: container.id }}
              className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
            >
              <Name>{container.name}</Name>
            </Link>
            {withHost && <HostName of={container} />}
          </span>
          <StatusWord status={containerStatus(container)} className="max-sm:order-3 max-sm:col-span-2 max-sm:text-sm" />
          <span className="text-right text-ink-2 max-sm:text-xs">
            <Age at={container.last_state_change_at} form="ago" />
          </span>
        </li>
      ))}
    </ul>
  );
}
