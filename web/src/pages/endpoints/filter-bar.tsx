import { ENDPOINT_SOURCES, type EndpointSource } from "../../../../src/contract/endpoint.ts";
import { getRouteApi } from "@tanstack/react-router";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import { useIsHostLost } from "../../app/hosts.ts";
import { checkRows, choiceRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { SOURCE_WORDS, STATUS_WORDS, statusOf } from "../../entities/endpoints/filter.ts";
import { FILTER_STATUSES, type EndpointFilter } from "../../entities/endpoints/search.ts";

const route = getRouteApi("/endpoints");
const ANY = "";

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ endpoints }: { endpoints: readonly EndpointRecord[] }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const statuses = filter.status ?? [];
  const isHostLost = useIsHostLost();

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: EndpointFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  const choices = FILTER_STATUSES.map((status) => ({
    value: status,
    label: STATUS_WORDS[status],
    count: endpoints.filter((endpoint) => statusOf(endpoint, isHostLost) === status).length,
  })).filter(({ value, count }) => count > 0 || statuses.includes(value));
  const [first, ...others] = statuses;
  const chosen = first === undefined ? "any" : others.length === 0 ? STATUS_WORDS[first].toLowerCase() : `${statuses.length} chosen`;

  return (
    <>
      <Menu
        align="end"
        trigger={
          <MenuButton label="Status" active={statuses.length > 0}>
            {chosen}
          </MenuButton>
        }
        rows={checkRows(statuses, choices, (status) => narrow({ status: status.length > 0 ? status : undefined }))}
      />
      <Menu
        align="end"
        trigger={
          <MenuButton label="Source" active={filter.source !== undefined}>
            {filter.source === undefined ? "any" : SOURCE_WORDS[filter.source].toLowerCase()}
          </MenuButton>
        }
        rows={choiceRows<"" | EndpointSource>(
          filter.source ?? ANY,
          [{ value: ANY, label: "Any" }, ...ENDPOINT_SOURCES.map((source) => ({ value: source, label: SOURCE_WORDS[source] }))],
          (source) => narrow({ source: source === ANY ? undefined : source }),
        )}
      />
      <SearchField
        label="Filter"
        placeholder="Name or target"
        value={filter.q ?? ""}
        onChange={(q) => narrow({ q: q === "" ? undefined : q }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}
