import { useMemo } from "react";
import type { SortKey } from "../../../../src/monitoring/updates/api.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import type { Act } from "../../entities/updates/act.ts";
import { SORT_WORDS, STATUS_WORDS } from "../../entities/updates/words.ts";
import { formatCount } from "../../format/number.ts";
import { GroupHead, type Fold } from "../../lists/group-head.tsx";
import { SortHead } from "../../lists/sort-head.tsx";
import type { ListSort } from "../../lists/sort.ts";
import type { Folds } from "../../lists/use-folds.ts";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { ImageRow } from "./image-row.tsx";
import { imageItems, rowItems, statusItems, type StatusItem, type UpdateItem } from "./items.ts";
import { COLUMNS, SHOWN, type Layout } from "./update-cells.tsx";
import { UpdateRow } from "./update-row.tsx";

interface Properties {
  updates: readonly UpdateRecord[];
  sort: ListSort<SortKey>;
  /** Containers of one image with the same update are one row. */
  byImage: boolean;
  folds: Folds | undefined;
  layout: Layout;
  withHost: boolean;
  /** There are more than these: how many the last group has is not known. */
  isCut: boolean;
  onAct: (act: Act, updates: readonly UpdateRecord[]) => void;
}

/** The list: what can be updated first, then what was left out on purpose, what is not known, and what is well; or by image, or sorted. */
export function UpdateTable({ updates, sort, byImage, folds, layout, withHost, isCut, onAct }: Properties) {
  const isSorted = sort.by !== undefined;
  const items = useMemo(
    () => (byImage ? imageItems(updates) : isSorted ? rowItems(updates) : statusItems(updates, isCut)),
    [updates, byImage, isSorted, isCut],
  );
  const style = { layout, withHost, onAct, withStatus: byImage || isSorted, byFixed: sort.by === "fixed" };

  function renderItem(item: UpdateItem, index: number, fold: Fold | undefined) {
    if (item.kind === "row") return <UpdateRow update={item.update} index={index} isInside={byImage} {...style} />;
    if ("status" in item) return <StatusHead item={item} index={index} fold={fold} />;
    if (item.updates.length > 1) return <ImageRow updates={item.updates} index={index} fold={fold} {...style} />;
    return <UpdateRow update={item.updates[0]} index={index} isInside={false} {...style} />;
  }

  return (
    <VirtualTable
      label="Updates"
      items={items}
      folds={folds}
      groupsAsRows={byImage}
      columns={COLUMNS[layout]}
      hidesHead
      head={<Heads sort={sort} layout={layout} />}
      render={renderItem}
    />
  );
}

function Heads({ sort, layout }: Pick<Properties, "sort" | "layout">) {
  const { image, age } = SHOWN[layout];
  return (
    <>
      <SortHead sort={sort} by="name">
        {SORT_WORDS.name}
      </SortHead>
      <SortHead sort={sort} by="image" className={image}>
        {SORT_WORDS.image}
      </SortHead>
      <span role="columnheader">Current, available</span>
      <SortHead sort={sort} by="update_type">
        {SORT_WORDS.update_type}
      </SortHead>
      <SortHead sort={sort} by="published" title="Since the newer image was built, or first seen" className={age}>
        {SORT_WORDS.published}
      </SortHead>
      {layout === "rated" && (
        <>
          <SortHead sort={sort} by="risk" title="Risk of the current version, 0 to 100. Breakdown in the details" className="max-lg:hidden">
            {SORT_WORDS.risk}
          </SortHead>
          <SortHead
            sort={sort}
            by="fixed"
            title="Known vulnerabilities of the current image; sorted by how many the update fixes"
            className="max-lg:hidden"
          >
            {sort.by === "fixed" ? SORT_WORDS.fixed : "Vulnerabilities"}
          </SortHead>
        </>
      )}
      <span role="columnheader">
        <span className="sr-only">Links and actions</span>
      </span>
    </>
  );
}

function StatusHead({ item: { status, count }, index, fold }: { item: StatusItem; index: number; fold: Fold | undefined }) {
  const { word, means } = STATUS_WORDS[status];
  return (
    <GroupHead name={word} index={index} fold={fold} attention={0} worst="degraded" count={count === undefined ? "" : formatCount(count)}>
      {means !== "" && <span className="max-sm:hidden"> · {means}</span>}
    </GroupHead>
  );
}
