import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  Archive,
  Award,
  BellOff,
  Blocks,
  Bot,
  CircleArrowUp,
  Copy,
  ExternalLink,
  GitCompareArrows,
  HeartPulse,
  History,
  Keyboard,
  Mails,
  Megaphone,
  Palette,
  PanelLeft,
  Radar,
  Rows3,
  ScrollText,
  Send,
  Server,
  ShieldAlert,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { FINDINGS } from "../entities/security/words.ts";
import { copyText } from "../ui/copy-text.ts";
import { StatusIcon } from "../ui/status-icon.tsx";
import { useGoBack } from "./moment.ts";
import { usePreferences } from "./preferences.ts";
import { Group, Item } from "./palette-rows.tsx";
import { useThings, type Thing } from "./palette-things.ts";
import { typedCommand } from "./palette-commands.ts";
import { LogRows, SilenceRows } from "./palette-command-rows.tsx";
import { bestGroups } from "./rank.ts";
import { useSections } from "./use-sections.ts";
import { THEMES } from "./theme-switch.tsx";

interface Action {
  label: string;
  /** Other words for it, which find it too. */
  also?: string;
  icon: LucideIcon;
  run: () => void;
}

/** Of each kind: fewer as long as nothing is asked for. */
const SHOWN = { asked: 8, unasked: 5 };

interface Properties {
  query: string;
  onQuery: (query: string) => void;
  /** What had the focus, and has it again once the palette is closed. */
  before: RefObject<HTMLElement | null>;
  onClose: () => void;
  onHelp: () => void;
}

/** Jumps to anything and runs any action, by a few letters. */
export function CommandPalette({ query, onQuery, before, onClose, onHelp }: Properties) {
  const navigate = useNavigate();
  const things = useThings();
  const actions = useActions(onHelp);
  const sections = useSections();

  const text = query.trim();
  const typed = typedCommand(query);
  const limit = text === "" ? SHOWN.unasked : SHOWN.asked;
  const groups = bestGroups<Entry>(
    [
      ...things.map(({ heading, items }) => ({ heading, items: items.map(thingEntry), limit })),
      {
        heading: "Pages",
        items: sections.map(({ to, label, icon }) => entryOf(`page ${to}`, label, icon, () => void navigate({ to }))),
        limit: 20,
      },
      {
        heading: "Actions",
        items: actions.map(({ label, icon, run, also }) => ({ ...entryOf(`action ${label}`, label, icon, run), also })),
        limit: 20,
      },
    ],
    query,
    ({ name, also }) => (also === undefined ? name : `${name} ${also}`),
  );

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
          finalFocus={before}
          className="fixed top-[10vh] left-1/2 z-40 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded border border-line-strong bg-surface shadow-xl shadow-black/15 outline-none"
        >
          <Command shouldFilter={false} loop label="Search or run">
            <Command.Input
              value={query}
              onValueChange={onQuery}
              placeholder="Container, endpoint, heartbeat, certificate, host, page or action"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-ink-3"
            />
            <Command.List className="max-h-[min(26rem,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-ink-2">No results.</Command.Empty>
              {typed?.verb === "silence" && <SilenceRows name={typed.name} done={done} />}
              {typed?.verb === "log" && <LogRows name={typed.name} done={done} />}
              {groups.map(({ heading, items }) => (
                <Group key={heading} heading={heading}>
                  {items.map(({ key, name, note, mark, open }) => (
                    <Item key={key} value={key} onSelect={done(open)}>
                      {mark}
                      <bdi className="truncate">{name}</bdi>
                      {note !== "" && <bdi className="ml-auto truncate pl-4 text-xs text-ink-3">{note}</bdi>}
                    </Item>
                  ))}
                </Group>
              ))}
              {/* Whatever is typed is in its name: it would be the best of all results. */}
              {text !== "" && (
                <Group heading="Logs">
                  <Item value="logs" onSelect={done(() => void navigate({ to: "/logs", search: { q: text } }))}>
                    <ScrollText size={14} aria-hidden className="shrink-0 text-ink-3" />
                    <bdi className="truncate">Search logs for {text}</bdi>
                  </Item>
                </Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A row of the palette. */
interface Entry {
  key: string;
  name: string;
  also?: string | undefined;
  note: string;
  mark: ReactNode;
  open: () => void;
}

function thingEntry({ status, ...thing }: Thing): Entry {
  return { ...thing, mark: <StatusIcon status={status} /> };
}

function entryOf(key: string, name: string, Icon: LucideIcon, open: () => void): Entry {
  return { key, name, note: "", mark: <Icon size={14} aria-hidden className="shrink-0 text-ink-3" />, open };
}

function useActions(onHelp: () => void): Action[] {
  const navigate = useNavigate();
  const goBack = useGoBack();
  const { theme, density, rail } = usePreferences();
  return [
    ...THEMES.map(({ value, name, icon }) => ({ label: `Theme: ${name.toLowerCase()}`, icon, run: () => theme.set(value) })),
    ...(["comfortable", "compact"] as const).map((value) => ({ label: `Rows: ${value}`, icon: Rows3, run: () => density.set(value) })),
    { label: "Copy link to this page", icon: Copy, run: () => void copyText(location.href) },
    { label: "Toggle sidebar", icon: PanelLeft, run: () => rail.set(rail.get() === "wide" ? "narrow" : "wide") },
    { label: "Go to a moment in the past (time machine)", icon: History, run: goBack },
    { label: "What changed", icon: GitCompareArrows, run: () => void navigate({ to: "/changes" }) },
    { label: "Alert history", icon: History, run: () => void navigate({ to: "/alerts/history" }) },
    {
      label: "Add a channel",
      also: "notify webhook email slack",
      icon: Send,
      run: () => void navigate({ to: "/notifications", search: { create: "yes" } }),
    },
    { label: "New silence", icon: BellOff, run: () => void navigate({ to: "/notifications/silences", search: { create: "yes" } }) },
    {
      label: "Plan maintenance",
      icon: Wrench,
      run: () => void navigate({ to: "/status-page/maintenance", search: { create: "yes" } }),
    },
    { label: "Report an incident", icon: Megaphone, run: () => void navigate({ to: "/status-page/incidents", search: { create: "yes" } }) },
    {
      label: "Add a component to the status page",
      icon: Blocks,
      run: () => void navigate({ to: "/status-page", search: { create: "component" } }),
    },
    { label: "Status page subscribers", icon: Mails, run: () => void navigate({ to: "/status-page/subscribers" }) },
    { label: "Status page settings", icon: Palette, run: () => void navigate({ to: "/status-page/settings" }) },
    {
      label: "Open the public status page",
      also: "visitor",
      icon: ExternalLink,
      run: () => void window.open("/status/", "_blank", "noreferrer"),
    },
    { label: "New heartbeat", also: "cron job monitor", icon: HeartPulse, run: () => void navigate({ to: "/heartbeats/new" }) },
    {
      label: "Add an endpoint",
      also: "website url http check keyword monitor",
      icon: Radar,
      run: () => void navigate({ to: "/endpoints", search: { create: "yes" } }),
    },
    { label: "Add a host", icon: Server, run: () => void navigate({ to: "/hosts/new", search: {} }) },
    { label: "Add a certificate", icon: Award, run: () => void navigate({ to: "/certificates", search: { create: "yes" } }) },
    { label: "Connect an assistant", icon: Bot, run: () => void navigate({ to: "/settings/assistants" }) },
    {
      label: "Available updates",
      icon: CircleArrowUp,
      run: () => void navigate({ to: "/updates", search: { status: "available" } }),
    },
    {
      label: "Unacknowledged findings",
      also: "accept security",
      icon: ShieldAlert,
      run: () => void navigate({ to: "/security", search: { acknowledged: "no" }, hash: FINDINGS }),
    },
    { label: "Show removed containers", icon: Archive, run: () => void navigate({ to: "/containers", search: { view: "removed" } }) },
    { label: "Keyboard shortcuts", icon: Keyboard, run: onHelp },
  ];
}
