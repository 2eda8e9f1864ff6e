import { Link } from "@tanstack/react-router";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { IsUnseen } from "../../app/sight.ts";
import type { Status } from "../../format/status.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { type GroupSummary, summarise } from "./group-summary.ts";

const WORDS: Readonly<Record<Status, string>> = {
  ok: "Healthy",
  idle: "None running",
  maintenance: "Maintenance",
  degraded: "Degraded",
  down: "Down",
};

function wordOf({ status, unseen, count }: GroupSummary): string {
  if (status !== "idle" || unseen === 0) return WORDS[status];
  return unseen === count ? "Not seen" : "Not all seen";
}

/** Every group in a line: how it is, how many run, when it last changed. */
export function GroupTable({ groups, isUnseen }: { groups: ContainerList["groups"]; isUnseen: IsUnseen }) {
  return (
    <Table className="table-fixed">
      <thead>
        <tr>
          <HeadCell>Group</HeadCell>
          <HeadCell className="w-32 sm:w-44">State</HeadCell>
          <HeadCell numeric className="w-24 max-sm:pr-0">
            Running
          </HeadCell>
          <HeadCell numeric className="w-32 max-sm:hidden">
            Last change
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {summarise(groups, isUnseen).map((group) => (
          <tr key={`${group.source} ${group.name}`} className="relative hover:bg-hover">
            <Cell>
              <Link
                to="/containers"
                search={{ group: group.name }}
                className="block font-[550] outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                <Name>{group.name}</Name>
              </Link>
            </Cell>
            <Cell>
              <span className="flex items-center gap-2">
                <StatusIcon status={group.status} />
                {wordOf(group)}
              </span>
            </Cell>
            <Cell numeric className="max-sm:pr-0">
              <span title={group.unseen === 0 ? undefined : `${countOf(group.unseen, "container")} not seen`}>
                {group.running} of {group.count}
              </span>
            </Cell>
            <Cell numeric className="text-ink-2 max-sm:hidden">
              <Age at={group.changedAt} form="ago" />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
