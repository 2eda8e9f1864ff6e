import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BellOff, ScrollText, type LucideIcon } from "lucide-react";
import { silenceAbout } from "../api/monitor-acts.ts";
import { containersQuery } from "../api/queries.ts";
import { useEntityOptions } from "../entities/notifications/entity-options.ts";
import { presetEnd, PRESETS } from "../entities/silences/periods.ts";
import { useAlertActs } from "./alert-acts.ts";
import { logOf, OFFERED, silenceOf, type Target, targetsOf } from "./palette-commands.ts";
import { Group, Item } from "./palette-rows.tsx";
import { usePreferences } from "./preferences.ts";
import { bestMatches } from "./rank.ts";
import { useServerTime } from "./server-time.ts";

interface Properties {
  /** What it is about, as it was typed. */
  name: string;
  /** Closes the palette first. */
  done: (run: () => void) => () => void;
}

/** Silences what the name fits, which can be undone for a moment, or opens the form for the first of it. */
export function SilenceRows({ name, done }: Properties) {
  const navigate = useNavigate();
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const serverTime = useServerTime();
  const { about, preset } = silenceOf(name);
  const targets = targetsOf(useEntityOptions({ withScopes: true }), about);
  const length = PRESETS.find(({ key }) => key === preset)?.label ?? "";

  function silence({ entity, name: targetName }: Target): void {
    const until = new Date(presetEnd(preset, serverTime())).toISOString();
    const [type = "", ...id] = entity.split(":");
    const target = { type, id: id.join(":"), name: targetName };
    const words = `all alerts of ${targetName} for ${length}`;
    acts.begin({
      kind: "silence",
      about: { type: target.type, id: target.id, words },
      send: () => silenceAbout(target, { by: readerName.get(), until }),
    });
  }

  const [first] = targets;
  const rows = targets.map((target) => ({ ...target, words: `Silence ${target.name} for ${length}`, run: () => silence(target) }));
  const form = first && {
    entity: "form",
    words: `More options for ${first.name}…`,
    note: "",
    run: () => void navigate({ to: "/notifications/silences", search: { create: "yes", entity: first.entity } }),
  };
  return <Rows heading="Silence" icon={BellOff} rows={form === undefined ? rows : [...rows, form]} done={done} />;
}

/** Opens the log of a container that the name fits, and finds in it what follows the name. */
export function LogRows({ name, done }: Properties) {
  const navigate = useNavigate();
  const { data } = useQuery(containersQuery());
  const containers = data?.groups.flatMap((group) => group.containers) ?? [];
  const { container: asked, find } = logOf(name);
  const rows = bestMatches(containers, asked, (container) => container.name, OFFERED).map(({ id, name: target, group }) => ({
    entity: String(id),
    words: find === undefined ? `Open the log of ${target}` : `Find ${find} in the log of ${target}`,
    note: group,
    run: () => void navigate({ to: "/containers/$id", params: { id }, search: { tab: "logs", find } }),
  }));
  return <Rows heading="Log" icon={ScrollText} rows={rows} done={done} />;
}

interface RowsProperties extends Pick<Properties, "done"> {
  heading: string;
  icon: LucideIcon;
  rows: readonly { entity: string; words: string; note: string; run: () => void }[];
}

function Rows({ heading, icon: Icon, rows, done }: RowsProperties) {
  if (rows.length === 0) return null;
  return (
    <Group heading={heading}>
      {rows.map(({ entity, words, note, run }) => (
        <Item key={entity} value={`${heading} ${entity}`} onSelect={done(run)}>
          <Icon size={14} aria-hidden className="shrink-0 text-ink-3" />
          <bdi className="truncate">{words}</bdi>
          <bdi className="ml-auto truncate pl-4 text-xs text-ink-3">{note}</bdi>
        </Item>
      ))}
    </Group>
  );
}
