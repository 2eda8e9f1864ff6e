import { hostName } from "../../app/host-id.ts";
import { countOf } from "../../format/number.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import type { GroupItem } from "./items.ts";

const SOURCES: Readonly<Record<GroupItem["source"], string | undefined>> = {
  label: "label",
  compose: "compose",
  stack: "stack",
  namespace: "namespace",
  default: undefined,
};

/** The head of a group: its name, where that is from, its host when there are several, how many it has. */
export function GroupRow({ group, index, withHost }: { group: GroupItem; index: number; withHost: boolean }) {
  const source = SOURCES[group.source];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="flex h-full items-center gap-3 border-t border-line bg-sunken px-2.5 text-xs text-ink-2 max-md:-mx-4 max-md:px-4"
    >
      <div role="rowheader" className="flex min-w-0 items-baseline">
        <bdi title={group.name} className="truncate font-semibold text-ink">
          {group.name}
        </bdi>
        <span className="whitespace-pre">
          {source !== undefined && ` · ${source}`}
          {withHost && ` · ${hostName(group.host)}`}
        </span>
      </div>
      <span role="cell" className="ml-auto flex items-center gap-3 whitespace-nowrap tabular-nums">
        {group.attention > 0 && (
          <span className="flex items-center gap-1.5">
            <StatusIcon status={group.worst} size={10} />
            {group.attention} {group.attention === 1 ? "needs" : "need"} attention
          </span>
        )}
        {countOf(group.count, "container")}
      </span>
    </div>
  );
}
