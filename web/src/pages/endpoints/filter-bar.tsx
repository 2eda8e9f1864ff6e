import { ENDPOINT_SOURCES } from "../../../../src/contract/endpoint.ts";
import { getRouteApi } from "@tanstack/react-router";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import { useIsHostLost } from "../../app/hosts.ts";
import { CheckFilter, ChoiceFilter } from "../../ui/filter-menus.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { SOURCE_WORDS, STATUS_WORDS, statusOf } from "../../entities/endpoints/filter.ts";
import { FILTER_STATUSES, type EndpointFilter } from "../../entities/endpoints/search.ts";

const route = getRouteApi("/endpoints");

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ endpoints }: { endpoints: readonly EndpointRecord[] }) {
  const { status, source, q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const isHostLost = useIsHostLost();

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: EndpointFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  return (
    <>
      <CheckFilter
        label="Status"
        values={status}
        choices={FILTER_STATUSES.map((value) => ({
          value,
          label: STATUS_WORDS[value],
          count: endpoints.filter((endpoint) => statusOf(endpoint, isHostLost) === value).length,
        }))}
        onChange={(next) => narrow({ status: next })}
      />
      <ChoiceFilter
        label="Source"
        align="end"
        value={source}
        word={source && SOURCE_WORDS[source].toLowerCase()}
        choices={ENDPOINT_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }))}
        onChange={(next) => narrow({ source: next })}
      />
      <SearchField
        label="Filter"
        placeholder="Name or target"
        value={q}
        onChange={(text) => narrow({ q: text === "" ? undefined : text }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}
