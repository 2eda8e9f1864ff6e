import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
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
  withHost: boolean;
  /** Since when nothing comes from its host; undefined while something does. */
  lostSince: string | undefined;
  /** The same of its container engine. */
  runtimeLostSince: string | undefined;
}

/** The head of a group: its name, where that is from, its host when there are several and since when that is not connected, how many it has. */
export function GroupRow({ group, index, withHost, lostSince, runtimeLostSince }: Properties) {
  const nameOf = useHostName();
  const source = SOURCES[group.source];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="flex h-full items-center gap-3 border-t border-line bg-sunken px-2.5 text-xs text-ink-2 max-md:-mx-4 max-md:px-4"
    >
      <div role="rowheader" className="flex min-w-0 items-baseline">
        <bdi title={group.name} className={classNames("truncate font-semibold text-ink", withHost && "max-w-[24ch] shrink-0")}>
          {group.name}
        </bdi>
        <span className="truncate whitespace-pre">
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
        </span>
      </div>
      <span role="cell" className="ml-auto flex items-center gap-3 whitespace-nowrap tabular-nums">
        {group.attention > 0 && (
          <span className="flex items-center gap-1.5">
            <StatusIcon status={group.worst} size={10} />
            <span>
              {group.attention}
              <span className={withHost ? "max-md:sr-only" : undefined}> {group.attention === 1 ? "needs" : "need"} attention</span>
            </span>
          </span>
        )}
        {countOf(group.count, "container")}
      </span>
    </div>
  );
}
