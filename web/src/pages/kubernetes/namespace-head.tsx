import { countOf } from "../../format/number.ts";
import { GroupHead, type Fold } from "../../lists/group-head.tsx";
import type { NamespaceItem } from "./groups.ts";

interface Properties {
  item: NamespaceItem;
  index: number;
  fold: Fold | undefined;
  /** What it is a head of: `workload`. */
  what: string;
  /** Where there are several clusters. */
  clusterName: string | undefined;
}

/** The head of a namespace: its name, its cluster, how many need attention, how many it has. */
export function NamespaceHead({ item: { namespace, count, attention, worst }, index, fold, what, clusterName }: Properties) {
  return (
    <GroupHead {...{ name: namespace, index, fold, attention, worst }} count={countOf(count, what)}>
      {clusterName !== undefined && (
        <>
          {" · "}
          <bdi>{clusterName}</bdi>
        </>
      )}
    </GroupHead>
  );
}
