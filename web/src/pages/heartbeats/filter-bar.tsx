import { getRouteApi } from "@tanstack/react-router";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { HEARTBEAT_WORDS } from "../../format/heartbeat-status.ts";
import { checkRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { HEARTBEAT_STATUSES } from "../../../../src/contract/heartbeat.ts";
import type { HeartbeatFilter } from "../../entities/heartbeats/search.ts";

const route = getRouteApi("/heartbeats");

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ heartbeats }: { heartbeats: readonly HeartbeatRecord[] }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const statuses = filter.status ?? [];

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: HeartbeatFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  const choices = HEARTBEAT_STATUSES.map((value) => ({
    value,
    label: HEARTBEAT_WORDS[value],
    count: heartbeats.filter(({ status }) => status === value).length,
  })).filter(({ value, count }) => count > 0 || statuses.includes(value));
  const [first] = statuses;
  const chosen = first === undefined ? "any" : statuses.length === 1 ? HEARTBEAT_WORDS[first].toLowerCase() : `${statuses.length} chosen`;

  return (
    <>
      <Menu
        align="end"
        trigger={
          <MenuButton label="State" active={statuses.length > 0}>
            {chosen}
          </MenuButton>
        }
        rows={checkRows(statuses, choices, (status) => narrow({ status: status.length > 0 ? status : undefined }))}
      />
      <SearchField
        label="Filter"
        placeholder="Name or tag"
        value={filter.q ?? ""}
        onChange={(q) => narrow({ q: q === "" ? undefined : q }, true)}
        pageFilter
        className="w-44 max-sm:w-auto max-sm:min-w-48 max-sm:flex-1"
      />
    </>
  );
}
