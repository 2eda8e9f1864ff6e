import { getRouteApi } from "@tanstack/react-router";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { SortMenu } from "../../lists/sort-menu.tsx";
import { checkRows, choiceRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import {
  FILTER_STATES,
  isIn,
  SORT_KEYS,
  SORT_WORDS,
  STATE_WORDS,
  type ContainerFilter,
  type FilterState,
} from "../../entities/containers/filter.ts";
import { useListSort } from "./use-list-sort.ts";

const route = getRouteApi("/containers");
const ANY = "";
const SORT_CHOICES = SORT_KEYS.map((value) => ({ value, label: SORT_WORDS[value] }));

interface Properties {
  groups: ContainerList["groups"];
  /** The list is sorted by a column that is not shown: its head cannot say so. On a phone no head can. */
  showsSort: boolean;
}

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ groups, showsSort }: Properties) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const states = filter.state ?? [];

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: ContainerFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <MenuButton label="State" active={states.length > 0}>
            {stateWords(states)}
          </MenuButton>
        }
        rows={checkRows(states, stateChoices(groups, states), (state) => narrow({ state: state.length > 0 ? state : undefined }))}
      />
      <Menu
        align="end"
        trigger={
          <MenuButton label="Group" active={filter.group !== undefined} className="max-w-48">
            <bdi>{filter.group ?? "any"}</bdi>
          </MenuButton>
        }
        rows={choiceRows(filter.group ?? ANY, [{ value: ANY, label: "Any" }, ...groups.map(groupChoice)], (group) =>
          narrow({ group: group === ANY ? undefined : group }),
        )}
      />
      <span className={showsSort ? undefined : "md:hidden"}>
        <SortMenu sort={useListSort()} usual="Group" choices={SORT_CHOICES} />
      </span>
      <SearchField
        label="Filter"
        placeholder="Name or image"
        value={filter.q ?? ""}
        onChange={(q) => narrow({ q: q === "" ? undefined : q }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}

function stateWords(states: readonly FilterState[]): string {
  const [first, ...others] = states;
  if (first === undefined) return "any";
  return others.length === 0 ? STATE_WORDS[first].toLowerCase() : `${states.length} chosen`;
}

/** Only the states that occur, and those that are chosen. */
function stateChoices(groups: ContainerList["groups"], chosen: readonly FilterState[]) {
  const containers = groups.flatMap((group) => group.containers);
  return FILTER_STATES.map((state) => ({
    value: state,
    label: STATE_WORDS[state],
    count: containers.filter((container) => isIn(container, state)).length,
  })).filter(({ value, count }) => count > 0 || chosen.includes(value));
}

function groupChoice({ name, containers }: ContainerList["groups"][number]) {
  return { value: name, label: <bdi className="truncate">{name}</bdi>, count: containers.length };
}
