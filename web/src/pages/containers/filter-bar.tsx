import { getRouteApi } from "@tanstack/react-router";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { SortMenu } from "../../lists/sort-menu.tsx";
import { CheckFilter, ChoiceFilter } from "../../ui/filter-menus.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { FILTER_STATES, isIn, SORT_KEYS, SORT_WORDS, STATE_WORDS, type ContainerFilter } from "../../entities/containers/filter.ts";
import { useListSort } from "./use-list-sort.ts";

const route = getRouteApi("/containers");
const SORT_CHOICES = SORT_KEYS.map((value) => ({ value, label: SORT_WORDS[value] }));

interface Properties {
  groups: ContainerList["groups"];
  /** The list is sorted by a column that is not shown: its head cannot say so. On a phone no head can. */
  showsSort: boolean;
}

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ groups, showsSort }: Properties) {
  const { state, group, q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const containers = groups.flatMap((each) => each.containers);

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: ContainerFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  return (
    <>
      <CheckFilter
        label="State"
        values={state}
        choices={FILTER_STATES.map((value) => ({
          value,
          label: STATE_WORDS[value],
          count: containers.filter((container) => isIn(container, value)).length,
        }))}
        onChange={(next) => narrow({ state: next })}
      />
      <ChoiceFilter
        label="Group"
        align="end"
        className="max-w-48"
        value={group}
        word={group && <bdi>{group}</bdi>}
        choices={groups.map(({ name, containers: { length } }) => ({
          value: name,
          label: <bdi className="truncate">{name}</bdi>,
          count: length,
        }))}
        onChange={(next) => narrow({ group: next })}
      />
      <span className={showsSort ? undefined : "md:hidden"}>
        <SortMenu sort={useListSort()} usual="Group" choices={SORT_CHOICES} />
      </span>
      <SearchField
        label="Filter"
        placeholder="Name or image"
        value={q}
        onChange={(text) => narrow({ q: text === "" ? undefined : text }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}
