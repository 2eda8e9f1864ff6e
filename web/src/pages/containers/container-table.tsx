import { hostId } from "../../app/host-id.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { useLostHosts, useLostRuntimes } from "../../app/hosts.ts";
import type { SparkLine } from "../../api/spark-series.ts";
import type { ColumnAttributes } from "../../lists/columns.ts";
import type { Fold } from "../../lists/group-head.tsx";
import type { Folds } from "../../lists/use-folds.ts";
import { SortHead } from "../../lists/sort-head.tsx";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { SORT_WORDS } from "../../entities/containers/filter.ts";
import { COLUMN_CLASSES } from "./columns.ts";
import { COLUMNS, ContainerRow } from "./container-row.tsx";
import { GroupRow } from "./group-row.tsx";
import type { ContainerItem } from "./items.ts";
import { useListSort } from "./use-list-sort.ts";

const NUMERIC = ["cpu", "memory", "uptime", "restarts", "since"] as const;

interface Properties {
  items: readonly ContainerItem[];
  /** Which columns are shown. */
  attributes: ColumnAttributes;
  /** Which groups are folded; undefined while groups do not fold. */
  folds: Folds | undefined;
  /** What each container used over the last hour; undefined while that is not known, or not shown. */
  lines: ReadonlyMap<number, SparkLine> | undefined;
  /** Whether all of it is how it was last seen. */
  stale: boolean;
  isHostStale: (host: string) => boolean;
  withHosts: boolean;
  /** Whether they are there, and not removed. */
  arePresent: boolean;
}

/** The list of containers, in their groups or sorted. */
export function ContainerTable({ items, attributes, folds, lines, stale, isHostStale, withHosts, arePresent }: Properties) {
  const sort = useListSort();
  const lost = useLostHosts();
  const lostRuntimes = useLostRuntimes();
  // Sorted, it has none.
  const withGroup = items[0]?.kind === "row";

  useHotkeys({ l: openLog });

  function renderItem(item: ContainerItem, index: number, fold: Fold | undefined) {
    if (item.kind === "group")
      return (
        <GroupRow
          group={item}
          index={index}
          fold={fold}
          withHost={withHosts}
          lostSince={withHosts ? lost[item.host] : undefined}
          runtimeLostSince={withHosts ? lostRuntimes[item.host] : undefined}
          canSilence={arePresent}
        />
      );
    const { container } = item;
    return (
      <ContainerRow
        container={container}
        index={index}
        line={lines?.get(container.id)}
        stale={isHostStale(hostId(container))}
        withGroup={withGroup}
      />
    );
  }

  return (
    <VirtualTable
      label="Containers"
      items={items}
      attributes={attributes}
      folds={folds}
      stale={stale}
      columns={COLUMNS}
      hidesHead
      head={
        <>
          <SortHead sort={sort} by="name">
            {SORT_WORDS.name}
          </SortHead>
          <SortHead sort={sort} by="image" className={COLUMN_CLASSES.image}>
            {SORT_WORDS.image}
          </SortHead>
          <SortHead sort={sort} by="state">
            {stale ? "Last known state" : SORT_WORDS.state}
          </SortHead>
          <span role="columnheader" className={COLUMN_CLASSES.ports}>
            Ports
          </span>
          {NUMERIC.map((key) => (
            <SortHead key={key} sort={sort} by={key} numeric className={COLUMN_CLASSES[key]}>
              {SORT_WORDS[key]}
            </SortHead>
          ))}
        </>
      }
      render={renderItem}
    />
  );
}

/** Opens the log of the row that has the focus, as a click on its sign does. */
function openLog(): void {
  document.activeElement?.closest("[role=row]")?.querySelector<HTMLElement>("a[data-log]")?.click();
}
