import { getRouteApi } from "@tanstack/react-router";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { HEARTBEAT_WORDS } from "../../format/heartbeat-status.ts";
import { CheckFilter } from "../../ui/filter-menus.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { HEARTBEAT_STATUSES } from "../../../../src/contract/heartbeat.ts";
import type { HeartbeatFilter } from "../../entities/heartbeats/search.ts";

const route = getRouteApi("/heartbeats");

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ heartbeats }: { heartbeats: readonly HeartbeatRecord[] }) {
  const { status, q = "" } = route.useSearch();
  const navigate = route.useNavigate();

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: HeartbeatFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  return (
    <>
      <CheckFilter
        label="State"
        values={status}
        choices={HEARTBEAT_STATUSES.map((value) => ({
          value,
          label: HEARTBEAT_WORDS[value],
          count: heartbeats.filter((heartbeat) => heartbeat.status === value).length,
        }))}
        onChange={(next) => narrow({ status: next })}
      />
      <SearchField
        label="Filter"
        placeholder="Name or tag"
        value={q}
        onChange={(text) => narrow({ q: text === "" ? undefined : text }, true)}
        pageFilter
        className="w-44 max-sm:w-auto max-sm:min-w-48 max-sm:flex-1"
      />
    </>
  );
}
