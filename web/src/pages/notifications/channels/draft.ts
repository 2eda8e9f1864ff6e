/** A channel as it is being typed, and what is wrong with it. */
import type { ChannelType, CreateBody, UpdateBody } from "../../../../../src/alerting/channels/api.ts";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import type { HeaderDraft } from "../../../entities/endpoints/draft.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { KIND_GUIDES, type KindValues } from "../../../entities/notifications/kind-guides.ts";

export interface ChannelDraft {
  type: ChannelType;
  name: string;
  values: KindValues;
  headers: readonly HeaderDraft[];
  enabled: boolean;
  /** The address is typed again; otherwise the saved one stays, which is never shown whole. */
  replacesAddress: boolean;
}

/** The fields that a fault of the server can stand beside. */
export const CHANNEL_FIELDS = ["name", "url", "headers"];

export function newDraft(type: ChannelType): ChannelDraft {
  return { type, name: "", values: initialValues(type), headers: [], enabled: true, replacesAddress: true };
}

/** What is saved, ready to be edited: secrets are masked, and stay what they are as long as they are left so. */
export function draftOf({ type, name, url, headers, enabled }: ChannelRecord): ChannelDraft {
  const { valuesOf } = KIND_GUIDES[type];
  return {
    type,
    name,
    values: valuesOf?.(url) ?? initialValues(type),
    headers: headersOf(headers),
    enabled,
    replacesAddress: valuesOf !== undefined,
  };
}

export function initialValues(type: ChannelType): KindValues {
  return Object.fromEntries(KIND_GUIDES[type].fields.map(({ name, initial = "" }) => [name, initial]));
}

/** The names of headers as they are shown, with their masked values. */
export function headersOf(json: string): HeaderDraft[] {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) return [];
    return Object.entries(parsed).map(([name, value], key) => ({ key, name, value: String(value) }));
  } catch {
    return [];
  }
}

type Read<Body> = { body: Body } | { faults: Faults };

/** The channel that the draft asks for, or what is wrong, by field: `name`, `headers`, or a field of its kind. */
export function readNew(draft: ChannelDraft): Read<CreateBody> {
  const { faults, name, url, headers } = readParts(draft);
  if (Object.keys(faults).length > 0 || url === undefined) return { faults };
  return { body: { name, type: draft.type, url, enabled: draft.enabled, ...(headers !== undefined && { headers }) } };
}

/** The change that the draft asks for. What was not touched is left out. */
export function readChange(draft: ChannelDraft): Read<UpdateBody> {
  const { faults, name, url, headers } = readParts(draft);
  if (Object.keys(faults).length > 0) return { faults };
  return { body: { name, enabled: draft.enabled, ...(url !== undefined && { url }), ...(headers !== undefined && { headers }) } };
}

/** The changes to send. Headers belong to the address: another address goes with all of them, so that the server refuses masked ones for another host. */
export function withAddressParts(body: UpdateBody, changes: UpdateBody): UpdateBody {
  return changes.url === undefined || body.headers === undefined ? changes : { ...changes, headers: body.headers };
}

function readParts(draft: ChannelDraft): {
  faults: Record<string, string>;
  name: string;
  url: string | undefined;
  headers: string | undefined;
} {
  const guide = KIND_GUIDES[draft.type];
  const faults: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === "") faults["name"] = "Enter a name.";
  else if (name.includes(",")) faults["name"] = "Commas are not allowed: labels separate channels with commas.";
  if (draft.replacesAddress) {
    for (const field of guide.fields) {
      const value = (draft.values[field.name] ?? "").trim();
      const fault = value === "" ? (field.isOptional === true ? undefined : "Required.") : field.check?.(value);
      if (fault !== undefined) faults[field.name] = fault;
    }
  }
  const made = draft.replacesAddress ? (guide.headersOf?.(draft.values) ?? {}) : {};
  return {
    faults,
    name,
    url: draft.replacesAddress ? guide.addressOf(draft.values) : undefined,
    headers: guide.headers === "none" ? undefined : headersJson(draft.headers, made, faults),
  };
}

function headersJson(typed: readonly HeaderDraft[], made: Readonly<Record<string, string>>, faults: Record<string, string>): string {
  const filled = typed.filter(({ name, value }) => name.trim() !== "" || value !== "");
  if (filled.some(({ name }) => name.trim() === "")) faults["headers"] = "Every header needs a name.";
  const madeNames = Object.keys(made).map((name) => name.toLowerCase());
  const kept = filled.map(({ name, value }) => [name.trim(), value] as const).filter(([name]) => !madeNames.includes(name.toLowerCase()));
  const names = kept.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) faults["headers"] ??= "Header names must be unique.";
  return JSON.stringify({ ...Object.fromEntries(kept), ...made });
}
