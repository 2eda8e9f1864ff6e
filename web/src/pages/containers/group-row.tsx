import { useHostName } from "../../app/hosts.ts";
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
}

/** The head of a group: its name, where that is from, its host when there are several and since when that is not connected, how many it has. */
export function GroupRow({ group, index, fold, withHost, lostSince, runtimeLostSince }: Properties) {
  const nameOf = useHostName();
  const source = SOURCES[group.source];
  const { name, attention, worst } = group;
  return (
    <GroupHead {...{ name, index, fold, attention, worst }} tight={withHost} count={countOf(group.count, "container")}>
      {source !== undefined && <span className={withHost ? "max-md:hidden" : undefined}> · {source}</span>}
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
