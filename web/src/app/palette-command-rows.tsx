import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BellOff, ScrollText, type LucideIcon } from "lucide-react";
import { containersQuery } from "../api/queries.ts";
import { useEntityOptions } from "../entities/notifications/entity-options.ts";
import { logOf, OFFERED, type Target, targetsOf } from "./palette-commands.ts";
import { Group, Item } from "./palette-rows.tsx";
import { bestMatches } from "./rank.ts";

interface Properties {
  /** What it is about, as it was typed. */
  name: string;
  /** Closes the palette first. */
  done: (run: () => void) => () => void;
}

/** Opens the form of a silence of two hours of what the name fits. */
export function SilenceRows({ name, done }: Properties) {
  const navigate = useNavigate();
  const targets = targetsOf(useEntityOptions({ withScopes: true }), name);
  return (
    <Rows
      heading="Silence"
      icon={BellOff}
      targets={targets}
      words={(target) => `Silence ${target} for 2 h…`}
      onChoose={({ entity }) => done(() => void navigate({ to: "/notifications/silences", search: { create: "yes", entity } }))}
    />
  );
}

/** Opens the log of a container that the name fits, and finds in it what follows the name. */
export function LogRows({ name, done }: Properties) {
  const navigate = useNavigate();
  const { data } = useQuery(containersQuery());
  const containers = data?.groups.flatMap((group) => group.containers) ?? [];
  const { container: asked, find } = logOf(name);
  const targets = bestMatches(containers, asked, (container) => container.name, OFFERED);
  return (
    <Rows
      heading="Log"
      icon={ScrollText}
      targets={targets.map((container) => ({ entity: String(container.id), name: container.name, note: container.group }))}
      words={(target) => (find === undefined ? `Open the log of ${target}` : `Find ${find} in the log of ${target}`)}
      onChoose={({ entity }) =>
        done(() => void navigate({ to: "/containers/$id", params: { id: Number(entity) }, search: { tab: "logs", find } }))
      }
    />
  );
}

interface RowsProperties {
  heading: string;
  icon: LucideIcon;
  targets: readonly Target[];
  words: (name: string) => string;
  onChoose: (target: Target) => () => void;
}

function Rows({ heading, icon: Icon, targets, words, onChoose }: RowsProperties) {
  if (targets.length === 0) return null;
  return (
    <Group heading={heading}>
      {targets.map((target) => (
        <Item key={target.entity} value={`${heading} ${target.entity}`} onSelect={onChoose(target)}>
          <Icon size={14} aria-hidden className="shrink-0 text-ink-3" />
          <bdi className="truncate">{words(target.name)}</bdi>
          <bdi className="ml-auto truncate pl-4 text-xs text-ink-3">{target.note}</bdi>
        </Item>
      ))}
    </Group>
  );
}
