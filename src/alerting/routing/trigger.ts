import type { Fault } from "../../platform/errors.ts";
import type { CreateBody, UpdateBody } from "./api.ts";
import { type Filters, NO_FILTERS, readFilters } from "./filters.ts";

export interface TriggerSettings {
  name: string;
  filters: Filters;
  enabled: boolean;
  /** Its channels also hear that the alert is over. */
  notifyOnResolve: boolean;
  channelIds: readonly number[];
}

/** Sends the alerts that pass its filters to channels. */
export interface Trigger extends TriggerSettings {
  id: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The settings that a body asks for, what it leaves out being as it was or the default, and everything that is wrong with them. */
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

/** Names that differ in case alone would be told apart by nobody. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
