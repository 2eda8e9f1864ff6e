import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellOff } from "lucide-react";
import { silencedGroupsQuery } from "../../api/silences.ts";
import { useHostName } from "../../app/hosts.ts";
import { groupProposal } from "../../entities/notifications/search.ts";
import { countOf } from "../../format/number.ts";
import { GroupHead, type Fold } from "../../lists/group-head.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import type { GroupItem } from "./items.ts";

const SOURCES: Readonly<Record<GroupItem["source"], string | undefined>> = {
  label: "label",
  compose: "compose",
  stack: "stack",
  namespace: "namespace",
  default: undefined,
};

interface Properties {
  group: GroupItem;
  index: number;
  fold: Fold | undefined;
  withHost: boolean;
  /** Since when nothing comes from its host; undefined while something does. */
  lostSince: string | undefined;
  /** The same of its container engine. */
  runtimeLostSince: string | undefined;
  /** Whether its alerts can be silenced: those of removed containers are over. */
  canSilence: boolean;
}

/** The head of a group: its name, where that is from, its host when there are several and since when that is not connected, how many it has. */
export function GroupRow({ group, index, fold, withHost, lostSince, runtimeLostSince, canSilence }: Properties) {
  const nameOf = useHostName();
  const source = SOURCES[group.source];
  const { name, attention, worst } = group;
  return (
    <GroupHead
      {...{ name, index, fold, attention, worst }}
      tight={withHost}
      count={countOf(group.count, "container")}
      action={canSilence ? <SilenceLink name={name} /> : undefined}
    >
      {source !== undefined && <span className="max-md:hidden"> · {source}</span>}
      {withHost && (
        <>
          {" · "}
          <bdi>{nameOf(group.host)}</bdi>
        </>
      )}
      {lostSince !== undefined && (
        <>
          {" · "}not connected since <Timestamp at={lostSince} precision="minute" />
        </>
      )}
      {lostSince === undefined && runtimeLostSince !== undefined && (
        <>
          {" · "}engine unreachable since <Timestamp at={runtimeLostSince} precision="minute" />
        </>
      )}
    </GroupHead>
  );
}

/** Opens the form of a silence of the group. Its word is shown when the head is under the pointer or has the focus; until when it is silenced, always. */
function SilenceLink({ name }: { name: string }) {
  const { data: silenced } = useQuery(silencedGroupsQuery);
  const until = silenced?.get(name);
  return (
    <Link
      to="/notifications/silences"
      search={until === undefined ? groupProposal(name) : {}}
      title={until === undefined ? `Silence ${name}` : `${name} is silenced`}
      className="flex h-7 items-center gap-1.5 px-1 hover:text-ink max-md:h-10 max-md:min-w-10 max-md:justify-center"
    >
      {until === undefined ? (
        <span className="sr-only md:group-focus-within/head:not-sr-only md:group-hover/head:not-sr-only">
          Silence<span className="sr-only"> {name}</span>
        </span>
      ) : (
        <span>
          <span className="max-md:sr-only">Silenced until </span>
          <Timestamp at={until} precision="minute" />
        </span>
      )}
      <BellOff size={14} aria-hidden />
    </Link>
  );
}
