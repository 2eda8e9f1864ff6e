import { TRIGGER_BOUNDS } from "../../contract/notifications.ts";
import type { Fault } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import { fromListItem, toListItem } from "../../contract/scope.ts";
import { readEntity, scopeFault } from "../scope.ts";
import { type Alert, type Entity, ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import type { CreateBody, UpdateBody } from "./api.ts";

/** Which alerts a trigger matches: every list that is not empty must match, by any one of its items. */
interface Filters {
  severities: readonly string[];
  sources: readonly string[];
  /** `container:42`, as in a comma-separated list. */
  entities: readonly string[];
  /** In lower case. */
  tags: readonly string[];
}

export const NO_FILTERS: Filters = { severities: [], sources: [], entities: [], tags: [] };

/** The comma-separated lists of a body, by their JSON names; undefined when omitted. */
export interface FilterTexts {
  filter_severities?: string | undefined;
  filter_sources?: string | undefined;
  filter_entities?: string | undefined;
  filter_tags?: string | undefined;
}

/** Whether the filters match an alert that is about these subjects. */
export function passes({ severities, sources, entities, tags }: Filters, alert: Alert, subjects: readonly Entity[]): boolean {
  return (
    (severities.length === 0 || severities.includes(alert.severity)) &&
    (sources.length === 0 || sources.includes(alert.source)) &&
    (entities.length === 0 || subjects.some((subject) => entities.includes(itemOf(subject)))) &&
    (tags.length === 0 || alert.tags.some((tag) => tags.includes(tag.toLowerCase())))
  );
}

/** Parses comma-separated lists into filters; omitted lists stay as they were. Also answers everything that is wrong with them. */
export function readFilters(texts: FilterTexts, current: Filters): { filters: Filters; faults: Fault[] } {
  const faults: Fault[] = [];
  const read = (name: keyof FilterTexts, before: readonly string[], readItem: (item: string) => string | ItemFault): readonly string[] => {
    const text = texts[name];
    if (text === undefined) return before;
    const items = new Set<string>();
    for (const piece of text.split(",")) {
      const item = cleanName(piece);
      if (item === "") continue;
      const known = readItem(item);
      if (typeof known === "string") items.add(known);
      else faults.push({ path: name, message: known.fault });
    }
    if (items.size > TRIGGER_BOUNDS.filterItems) faults.push({ path: name, message: `Must name at most ${TRIGGER_BOUNDS.filterItems}` });
    return [...items];
  };
  const filters = {
    severities: read("filter_severities", current.severities, (item) => oneOf(item, SEVERITIES, "a severity")),
    sources: read("filter_sources", current.sources, (item) => oneOf(item, ALERT_SOURCES, "a source")),
    entities: read("filter_entities", current.entities, readEntityItem),
    tags: read("filter_tags", current.tags, readTag),
  };
  return { filters, faults };
}

/** The comma-separated lists of these filters. */
export function filterTexts({ severities, sources, entities, tags }: Filters): Required<Record<keyof FilterTexts, string>> {
  return {
    filter_severities: severities.join(","),
    filter_sources: sources.join(","),
    filter_entities: entities.join(","),
    filter_tags: tags.join(","),
  };
}

/** Filters from their saved lists. An item that this program does not know matches nothing, instead of everything. */
export function savedFilters(texts: Required<Record<keyof FilterTexts, string>>): Filters {
  const items = (text: string): string[] => (text === "" ? [] : text.split(","));
  return {
    severities: items(texts.filter_severities),
    sources: items(texts.filter_sources),
    entities: items(texts.filter_entities),
    tags: items(texts.filter_tags),
  };
}

interface ItemFault {
  fault: string;
}

function oneOf(item: string, known: readonly string[], what: string): string | ItemFault {
  const name = item.toLowerCase();
  return known.includes(name) ? name : { fault: `${quoted(item)} is not ${what}: ${known.join(", ")}` };
}

function itemOf({ type, id }: Entity): string {
  return toListItem(`${type}:${id}`);
}

function readEntityItem(item: string): string | ItemFault {
  const [, type, id] = /^([a-z][a-z_]{0,63}) ?: ?(.+)$/i.exec(item) ?? [];
  if (type === undefined || id === undefined) return { fault: `${quoted(item)} is not a kind and an id, such as container:42` };
  const entity = fromListItem(`${type.toLowerCase()}:${id}`);
  const named = readEntity({ type: type.toLowerCase(), id: entity.slice(type.length + 1) });
  const message = scopeFault(named);
  return message === undefined ? itemOf(named) : { fault: `${quoted(item)}: ${message}` };
}

function readTag(item: string): string | ItemFault {
  if ([...item].length > TRIGGER_BOUNDS.tagLength)
    return { fault: `${quoted(item)} is longer than ${TRIGGER_BOUNDS.tagLength} characters` };
  return item.toLowerCase();
}

/** Shown to the user so that they find it again; it may be long. */
function quoted(item: string): string {
  return `"${cleanName(item, 60)}"`;
}

export interface TriggerSettings {
  name: string;
  filters: Filters;
  enabled: boolean;
  /** Its channels are also notified when the alert resolves. */
  notifyOnResolve: boolean;
  channelIds: readonly number[];
}

/** Sends the alerts that pass its filters to channels. */
export interface Trigger extends TriggerSettings {
  id: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The settings that a body asks for; omitted ones stay as they were, or get their default. Also answers everything that is wrong with them. */
export function readSettings(
  body: Partial<CreateBody> | UpdateBody,
  current: Trigger | undefined,
  channelExists: (id: number) => boolean,
): { settings: TriggerSettings; faults: Fault[] } {
  const { filters, faults } = readFilters(body, current?.filters ?? NO_FILTERS);
  for (const [index, id] of (body.channel_ids ?? []).entries()) {
    if (!channelExists(id)) faults.push({ path: `channel_ids.${index}`, message: `There is no channel ${id}` });
  }
  const settings = {
    name: body.name ?? current?.name ?? "",
    filters,
    enabled: body.enabled ?? current?.enabled ?? true,
    notifyOnResolve: body.notify_on_resolve ?? current?.notifyOnResolve ?? true,
    channelIds: body.channel_ids === undefined ? (current?.channelIds ?? []) : [...new Set(body.channel_ids)],
  };
  return { settings, faults };
}

/** Names that differ only in case would be confused. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
