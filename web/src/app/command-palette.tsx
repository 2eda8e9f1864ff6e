import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Archive, Copy, Keyboard, PanelLeft, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { containersQuery } from "../api/queries.ts";
import { containerStatus } from "../format/container-status.ts";
import { copyText } from "../ui/copy-text.ts";
import { StatusIcon } from "../ui/status-icon.tsx";
import { usePreferences } from "./preferences.ts";
import { bestMatches } from "./rank.ts";
import { SECTIONS } from "./sections.ts";
import { THEMES } from "./theme-switch.tsx";

interface Action {
  label: string;
  icon: LucideIcon;
  run: () => void;
}

const SHOWN_CONTAINERS = 12;

/** Jumps to anything and runs any action, by a few letters. */
export function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [query, setQuery] = useState("");
  const navigate = useNavigate();
  const actions = useActions(onHelp);
  const { data } = useQuery(containersQuery());

  const containers = bestMatches(data?.groups.flatMap((group) => group.containers) ?? [], query, ({ name }) => name, SHOWN_CONTAINERS);
  const pages = bestMatches(SECTIONS, query, ({ label }) => label, SECTIONS.length);
  const shownActions = bestMatches(actions, query, ({ label }) => label, actions.length);

  function done(run: () => void): () => void {
    return () => {
      onClose();
      run();
    };
  }

  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          aria-label="Search or run"
          className="fixed top-[10vh] left-1/2 z-40 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded border border-line-strong bg-surface shadow-xl shadow-black/15 outline-none"
        >
          <Command shouldFilter={false} loop label="Search or run">
            <Command.Input
              value={query}
              onValueChange={setQuery}
              placeholder="Container, page or action"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-ink-3"
            />
            <Command.List className="max-h-[min(26rem,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-ink-2">Nothing is called like that.</Command.Empty>
              <Group heading="Containers">
                {containers.map((container) => (
                  <Item
                    key={container.id}
                    value={`container ${container.id}`}
                    onSelect={done(() => void navigate({ to: "/containers/$id", params: { id: container.id } }))}
                  >
                    <StatusIcon status={containerStatus(container).status} />
                    <bdi className="truncate">{container.name}</bdi>
                    <bdi className="ml-auto truncate pl-4 text-xs text-ink-3">{container.group}</bdi>
                  </Item>
                ))}
              </Group>
              <Group heading="Pages">
                {pages.map(({ to, label, icon: Icon }) => (
                  <Item key={to} value={`page ${to}`} onSelect={done(() => void navigate({ to }))}>
                    <Icon size={14} aria-hidden className="text-ink-3" /> {label}
                  </Item>
                ))}
              </Group>
              <Group heading="Actions">
                {shownActions.map(({ label, icon: Icon, run }) => (
                  <Item key={label} value={`action ${label}`} onSelect={done(run)}>
                    <Icon size={14} aria-hidden className="text-ink-3" /> {label}
                  </Item>
                ))}
              </Group>
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useActions(onHelp: () => void): Action[] {
  const navigate = useNavigate();
  const { theme, rail } = usePreferences();
  return [
    ...THEMES.map(({ value, name, icon }) => ({ label: `Theme: ${name.toLowerCase()}`, icon, run: () => theme.set(value) })),
    { label: "Copy the address of this page", icon: Copy, run: () => void copyText(location.href) },
    { label: "Narrow or widen the rail", icon: PanelLeft, run: () => rail.set(rail.get() === "wide" ? "narrow" : "wide") },
    { label: "Show removed containers", icon: Archive, run: () => void navigate({ to: "/containers", search: { view: "removed" } }) },
    { label: "Show the keys", icon: Keyboard, run: onHelp },
  ];
}

function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  );
}

function Item({ value, onSelect, children }: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-2.5 rounded-[4px] px-2.5 select-none data-[selected=true]:bg-accent-soft"
    >
      {children}
    </Command.Item>
  );
}
