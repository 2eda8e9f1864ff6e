import { Link } from "@tanstack/react-router";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { Age } from "../../ui/age.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import type { Attention } from "./attention.ts";

/** More than this many are better read in the list. */
const SHOWN = 12;

/** Who needs attention, and why. */
export function AttentionRows({ list }: { list: readonly Attention[] }) {
  if (list.length === 0) return null;
  const hidden = list.length - SHOWN;
  return (
    <ul aria-label="Needs attention" className="mt-5">
      {list.slice(0, SHOWN).map(({ container, status, what, why, since }) => (
        <li
          key={container.id}
          className="relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2 border-t border-line py-3 first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
        >
          <StatusIcon status={status} className="mt-1" />
          <div className="min-w-0">
            <Link
              to="/containers/$id"
              params={{ id: container.id }}
              className="font-[570] wrap-anywhere outline-none after:absolute after:inset-0"
            >
              <bdi>{container.name}</bdi> {what}
            </Link>
            <p dir="auto" className="line-clamp-2 wrap-anywhere text-ink-2">
              {why} <span className="text-ink-3 max-sm:hidden">{whereOf(container)}</span>
            </p>
          </div>
          <span className="text-xs leading-5 text-ink-2">
            <Age at={since} />
          </span>
        </li>
      ))}
      {hidden > 0 && (
        <li className="border-t border-line py-3">
          <Link to="/containers" search={{ state: ["unhealthy", "restarting", "exited", "dead"] }} className="text-accent hover:underline">
            {hidden} more in the list
          </Link>
        </li>
      )}
    </ul>
  );
}

function whereOf({ group, group_source, image }: ContainerRecord): string {
  return group_source === "default" ? image : `${group} · ${image}`;
}
