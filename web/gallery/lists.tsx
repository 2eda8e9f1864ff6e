import { useState } from "react";
import { DisplayMenu } from "../src/lists/display-menu.tsx";
import { FirstRows } from "../src/lists/first-rows.tsx";
import { GridTable } from "../src/lists/grid-table.tsx";
import { GroupHead } from "../src/lists/group-head.tsx";
import type { ListItem } from "../src/lists/items.ts";
import { ROW_CLASS } from "../src/lists/row-class.ts";
import { SavedViewsButton } from "../src/lists/saved-views-button.tsx";
import { SavedViews } from "../src/lists/saved-views-picker.tsx";
import { SelectAllBox, SelectBox, SELECTABLE_ROW_CLASS } from "../src/lists/select-box.tsx";
import { SelectionBar } from "../src/lists/selection-bar.tsx";
import { SortHead } from "../src/lists/sort-head.tsx";
import { SortMenu } from "../src/lists/sort-menu.tsx";
import { listSort } from "../src/lists/sort.ts";
import { VirtualTable } from "../src/lists/virtual-table.tsx";
import { Button } from "../src/ui/button.tsx";
import { classNames } from "../src/ui/class-names.ts";
import { Name } from "../src/ui/name.tsx";
import { ignore, LONG, RIGHT_TO_LEFT } from "./samples.ts";
import { Row, Shelf, Specimen } from "./specimen.tsx";

interface Item extends ListItem {
  name: string;
}

const COLUMNS = "grid grid-cols-2 items-center gap-x-4";
const ITEMS: readonly Item[] = Array.from({ length: 80 }, (_, index) => ({
  kind: index % 20 === 0 ? ("group" as const) : ("row" as const),
  key: String(index),
  name: index === 1 ? LONG : index === 2 ? RIGHT_TO_LEFT : index === 20 ? RIGHT_TO_LEFT : `service-${index}`,
}));

const SORT = listSort<"name" | "age">({ sort: "name" }, { name: "asc", age: "desc" }, ignore);
const UNSORTED = listSort<"name" | "age">({}, { name: "asc", age: "desc" }, ignore);
const SORT_CHOICES = [
  { value: "name", label: "Name" },
  { value: "age", label: "Age" },
] as const;

/** Long lists and what stands around them. */
export function ListShelves() {
  const [selected, setSelected] = useState<number>(3);
  return (
    <>
      <Shelf title="Around lists">
        <Row>
          <DisplayMenu onSelect={ignore} />
          <SortMenu sort={UNSORTED} usual="Group" choices={SORT_CHOICES} />
          <SortMenu sort={SORT} usual="Group" choices={SORT_CHOICES} />
          <SavedViews list="containers" shown={{}} />
          <SavedViewsButton name={undefined} />
          <SavedViewsButton name={LONG} />
          <SavedViewsButton name={RIGHT_TO_LEFT} />
        </Row>
        <Specimen state="The first of many">
          <ul aria-label="First rows">
            <FirstRows items={["one", "two", LONG]} step={2} noun="row" render={(name) => <li key={name}>{name}</li>} />
          </ul>
        </Specimen>
        <Specimen state="Selection: some, all">
          <SelectionBar
            label="Selected samples"
            selected={selected}
            shown={1204}
            onSelectAll={() => setSelected(1204)}
            onClear={() => setSelected(3)}
          >
            <Button kind="quiet">Pause</Button>
          </SelectionBar>
          <SelectionBar label="All selected" selected={1204} shown={1204} onSelectAll={ignore} onClear={ignore}>
            <Button kind="quiet">Pause</Button>
          </SelectionBar>
        </Specimen>
      </Shelf>
      <Shelf title="A short table">
        <GridTable label="Sample grid" columns="grid grid-cols-3 gap-x-4" titles={["Name", ["Count", "text-right"], "Long"]}>
          {["one", RIGHT_TO_LEFT].map((name, index) => (
            <div key={name} role="row" className="grid grid-cols-3 gap-x-4 border-t border-line py-1.5">
              <div role="cell">
                <Name>{name}</Name>
              </div>
              <div role="cell" className="text-right">
                {index}
              </div>
              <div role="cell" className="min-w-0">
                <Name>{LONG}</Name>
              </div>
            </div>
          ))}
        </GridTable>
      </Shelf>
      <Shelf title="A long list">
        <VirtualTable
          label="Sample rows"
          items={ITEMS}
          columns={COLUMNS}
          isSelecting
          head={
            <>
              <span role="columnheader" className="relative">
                <SelectAllBox isAny areAll={false} onToggle={ignore} /> Name
              </span>
              <SortHead sort={SORT} by="name">
                Second
              </SortHead>
            </>
          }
          render={(item, index) =>
            item.kind === "group" ? (
              <GroupHead name={item.name} index={index} fold={undefined} attention={index === 0 ? 3 : 0} worst="down" count="19 rows" />
            ) : (
              <div role="row" aria-rowindex={index + 2} className={classNames(COLUMNS, ROW_CLASS, SELECTABLE_ROW_CLASS)}>
                <div role="cell" className="min-w-0">
                  <SelectBox id={index} name={item.name} isSelected={index % 2 === 0} onSelect={ignore} />
                  <Name>{item.name}</Name>
                </div>
                <div role="cell">{index}</div>
              </div>
            )
          }
        />
      </Shelf>
    </>
  );
}
