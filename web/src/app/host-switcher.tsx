import { useNavigate } from "@tanstack/react-router";
import { choiceRows } from "../ui/menu-rows.ts";
import { Menu, MenuButton } from "../ui/menu.tsx";
import { hostName } from "./host-id.ts";
import { useChosenHost, useHosts } from "./hosts.ts";

const ALL = "";

/** Chooses the host that the whole app looks at; the choice stands in the address. */
export function HostSwitcher() {
  const navigate = useNavigate();
  const hosts = useHosts();
  const chosen = useChosenHost();
  return (
    <Menu
      trigger={
        <MenuButton active={chosen !== undefined} title="Which hosts are shown">
          {chosen === undefined ? (
            <>
              All hosts <span className="text-ink-3 tabular-nums">{hosts.length}</span>
            </>
          ) : (
            <>Host: {hostName(chosen)}</>
          )}
        </MenuButton>
      }
      rows={choiceRows(
        chosen ?? ALL,
        [{ value: ALL, label: "All hosts" }, ...hosts.map(({ id, name }) => ({ value: id, label: name }))],
        (id) => void navigate({ to: ".", search: (search) => ({ ...search, agent_id: id === ALL ? undefined : id }) }),
      )}
    />
  );
}
