import { useNavigate } from "@tanstack/react-router";
import { choiceRows } from "../ui/menu-rows.ts";
import { Menu, MenuButton } from "../ui/menu.tsx";
import { useChosenHost, useHostName, useHosts } from "./hosts.ts";

const ALL = "";

/** Chooses the host that the whole app looks at; the choice stands in the address. Where there is only one, there is nothing to choose. */
export function HostSwitcher() {
  const navigate = useNavigate();
  const hosts = useHosts();
  const nameOf = useHostName();
  const chosen = useChosenHost();
  if (hosts.length < 2 && chosen === undefined) return null;
  return (
    <Menu
      trigger={
        <MenuButton active={chosen !== undefined} title="Filter by host">
          {chosen === undefined ? (
            <>
              All hosts <span className="text-ink-3 tabular-nums">{hosts.length}</span>
            </>
          ) : (
            <>
              Host: <bdi>{nameOf(chosen)}</bdi>
            </>
          )}
        </MenuButton>
      }
      rows={choiceRows(
        chosen ?? ALL,
        [
          { value: ALL, label: "All hosts" },
          ...hosts.map(({ id, name }) => ({ value: id, label: <bdi className="truncate">{name}</bdi> })),
        ],
        (id) => void navigate({ to: ".", search: (search) => ({ ...search, agent_id: id === ALL ? undefined : id }) }),
      )}
    />
  );
}
