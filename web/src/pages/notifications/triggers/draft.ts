/** A trigger as it is being put together, and what is wrong with it. */
import type { CreateBody } from "../../../../../src/alerting/routing/api.ts";
import type { TriggerRecord } from "../../../../../src/alerting/routing/answers.ts";
import { fromListItem, toListItem } from "../../../../../src/contract/scope.ts";
import { someOf } from "../../../app/search-params.ts";
import { SEVERITIES, SOURCES, type AlertSource, type Severity } from "../../../format/alert-words.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { itemsOf } from "../../../ui/forms/tags.ts";

export interface TriggerDraft {
  name: string;
  severities: readonly Severity[];
  sources: readonly AlertSource[];
  /** `container:42` */
  entities: readonly string[];
  tags: readonly string[];
  channels: readonly string[];
  notifyOnResolve: boolean;
  enabled: boolean;
}

/** The fields that a fault of the server can stand beside. */
export const TRIGGER_FIELDS = ["name", "filter_severities", "filter_sources", "filter_entities", "filter_tags", "channel_ids"];

export const NEW_TRIGGER: TriggerDraft = {
  name: "",
  severities: [],
  sources: [],
  entities: [],
  tags: [],
  channels: [],
  notifyOnResolve: true,
  enabled: true,
};

/** What its filters name. */
export function filtersOf(trigger: TriggerRecord): Pick<TriggerDraft, "severities" | "sources" | "entities" | "tags"> {
  return {
    severities: someOf(trigger.filter_severities, SEVERITIES) ?? [],
    sources: someOf(trigger.filter_sources, SOURCES) ?? [],
    // Not as tags are: groups that differ in case alone are two.
    entities: trigger.filter_entities
      .split(",")
      .filter((item) => item !== "")
      .map(fromListItem),
    tags: itemsOf(trigger.filter_tags),
  };
}

export function draftOf(trigger: TriggerRecord): TriggerDraft {
  return {
    ...filtersOf(trigger),
    name: trigger.name,
    channels: trigger.channel_ids.map(String),
    notifyOnResolve: trigger.notify_on_resolve,
    enabled: trigger.enabled,
  };
}

/** The trigger that the draft asks for, or what is missing. */
export function readDraft(draft: TriggerDraft): { body: CreateBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  if (draft.name.trim() === "") faults["name"] = "Enter a name.";
  if (draft.channels.length === 0) faults["channel_ids"] = "Choose at least one channel.";
  return Object.keys(faults).length > 0 ? { faults } : { body: { name: draft.name.trim(), ...settingsOf(draft) } };
}

/** All but the name, which is not needed to try it. */
export function settingsOf(draft: TriggerDraft): Omit<CreateBody, "name"> {
  return {
    filter_severities: draft.severities.join(","),
    filter_sources: draft.sources.join(","),
    filter_entities: draft.entities.map(toListItem).join(","),
    filter_tags: draft.tags.join(","),
    channel_ids: draft.channels.map(Number),
    notify_on_resolve: draft.notifyOnResolve,
    enabled: draft.enabled,
  };
}
