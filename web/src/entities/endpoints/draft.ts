/** An endpoint as it is being typed, and what is wrong with it by the server's rules. */
import {
  CHECK_SETTINGS,
  type CheckSetting,
  defaultsOf,
  HTTP_SETTINGS,
  namedSettingsOf,
  type NamedSettingsOf,
  settingsOf,
  type SettingsOf,
  type SettingTable,
  type ValueOf,
} from "../../../../src/contract/check-settings.ts";
import {
  CHECK_METHODS,
  DEFAULT_EXPECTED_STATUS,
  ENDPOINT_BOUNDS,
  EXPECTED_STATUS,
  HEADER_NAME,
  type EndpointType,
  OWN_HEADERS,
} from "../../../../src/contract/endpoint.ts";
import { parseHostPort, parseHttpUrl } from "../../../../src/contract/targets.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { EndpointInput } from "../../api/endpoint-queries.ts";

type Method = (typeof CHECK_METHODS)[number];

const { interval, timeout } = ENDPOINT_BOUNDS;

export interface HeaderDraft {
  key: number;
  name: string;
  value: string;
}

/** Settings as their fields hold them: numbers as they are typed. */
type Typed<Table extends SettingTable> = { [Key in keyof Table]: ValueOf<Table[Key]> extends boolean ? boolean : string };
export type TypedSettings = Typed<typeof CHECK_SETTINGS> & Typed<typeof HTTP_SETTINGS>;

export interface EndpointDraft extends TypedSettings {
  type: EndpointType;
  target: string;
  name: string;
  interval: string;
  timeout: string;
  method: Method;
  statuses: string;
  headers: readonly HeaderDraft[];
}

/** By the name that a field has on the wire, so that the server's faults find it too. */
export type EndpointFaults = Readonly<Record<string, string>>;

export const NEW_ENDPOINT: EndpointDraft = {
  type: "http",
  target: "",
  name: "",
  interval: String(interval.default),
  timeout: String(timeout.default),
  ...typed(CHECK_SETTINGS, defaultsOf(CHECK_SETTINGS)),
  method: "GET",
  statuses: DEFAULT_EXPECTED_STATUS,
  ...typed(HTTP_SETTINGS, defaultsOf(HTTP_SETTINGS)),
  headers: [],
};

/** As they stand in their fields; nothing is an empty text. */
function typed<Table extends SettingTable>(table: Table, values: SettingsOf<Table>): Typed<Table> {
  const entries = Object.keys(table).map((key) => [key, typeof values[key] === "boolean" ? values[key] : String(values[key] ?? "")]);
  // The keys are the table's, and only what is a flag is a boolean.
  return Object.fromEntries(entries) as Typed<Table>;
}

/** A new one, of this target where it is already known: a URL, or a host with its port. */
export function newEndpoint(target = ""): EndpointDraft {
  return { ...NEW_ENDPOINT, type: target === "" || parseHttpUrl(target) !== undefined ? "http" : "tcp", target };
}

/** What is set, ready to be edited; what is masked stays so, and keeps what it stands for. */
export function draftOf({ type, target, name, config }: Pick<EndpointRecord, "type" | "target" | "name" | "config">): EndpointDraft {
  return {
    type,
    target,
    name: name === target ? "" : name,
    interval: String(config.interval_seconds),
    timeout: String(config.timeout_seconds),
    ...typed(
      CHECK_SETTINGS,
      settingsOf(CHECK_SETTINGS, (setting) => config[setting.name]),
    ),
    method: CHECK_METHODS.find((method) => method === config.method) ?? "GET",
    statuses: (config.expected_status ?? [DEFAULT_EXPECTED_STATUS]).join(", "),
    ...typed(
      HTTP_SETTINGS,
      settingsOf(HTTP_SETTINGS, (setting) => config[setting.name] ?? setting.default),
    ),
    headers: Object.entries(config.headers ?? {}).map(([header, value], key) => ({ key, name: header, value })),
  };
}

/** What the draft asks for, or what is wrong with it, field by field. `alerts` are kept as they are. */
export function readDraft(
  draft: EndpointDraft,
  alerts: Pick<EndpointRecord, "alert_severity" | "alert_channels" | "alert_tags"> | undefined,
): { body: EndpointInput } | { faults: EndpointFaults } {
  const faults: Record<string, string> = {};
  const target = draft.target.trim();
  const name = draft.name.trim();
  if (draft.type === "http" && parseHttpUrl(target) === undefined) faults["target"] = "A URL that begins with http:// or https://.";
  if (draft.type === "tcp" && parseHostPort(target) === undefined) faults["target"] = "host:port, with a port from 1 to 65535.";
  if (name.length > ENDPOINT_BOUNDS.name) faults["name"] = `At most ${ENDPOINT_BOUNDS.name} characters.`;
  const intervalSeconds = readWhole({ name: "interval_seconds", ...interval }, draft.interval, faults);
  const timeoutSeconds = readWhole({ name: "timeout_seconds", ...timeout }, draft.timeout, faults);
  if (timeoutSeconds > intervalSeconds) faults["timeout_seconds"] ??= "Not longer than the interval.";
  const common = {
    target,
    ...(name !== "" && { name }),
    interval_seconds: intervalSeconds,
    timeout_seconds: timeoutSeconds,
    ...readSettings(CHECK_SETTINGS, draft, faults),
    ...(alerts !== undefined && {
      alert_severity: alerts.alert_severity,
      alert_channels: alerts.alert_channels,
      alert_tags: alerts.alert_tags,
    }),
  };
  const body: EndpointInput = draft.type === "tcp" ? { type: "tcp", ...common } : { type: "http", ...common, ...readHttp(draft, faults) };
  return Object.keys(faults).length > 0 ? { faults } : { body };
}

function readHttp(draft: EndpointDraft, faults: Record<string, string>) {
  const statuses = [
    ...new Set(
      draft.statuses
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((text) => text !== ""),
    ),
  ];
  if (statuses.length === 0 || statuses.length > ENDPOINT_BOUNDS.statuses || !statuses.every((status) => EXPECTED_STATUS.test(status)))
    faults["expected_status"] = "Statuses such as 204, or classes such as 2xx, with commas between.";
  return {
    method: draft.method,
    expected_status: statuses,
    headers: readHeaders(draft.headers, faults),
    ...readSettings(HTTP_SETTINGS, draft, faults),
  };
}

function readSettings<Table extends SettingTable>(
  table: Table,
  draft: Typed<Table>,
  faults: Record<string, string>,
): NamedSettingsOf<Table> {
  const values = settingsOf(table, (setting, key) => readSetting(setting, draft[key], faults));
  return namedSettingsOf(table, values);
}

function readSetting(setting: CheckSetting, value: string | boolean, faults: Record<string, string>): number | boolean | string | null {
  if (typeof value === "boolean") return value;
  if (setting.kind === "number") return readWhole(setting, value, faults);
  if (setting.kind === "text" && value.length > setting.maxLength) faults[setting.name] = `At most ${setting.maxLength} characters.`;
  return value.trim() === "" ? null : value;
}

function readWhole({ name, min, max }: { name: string; min: number; max: number }, text: string, faults: Record<string, string>): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) faults[name] = `A whole number, ${min} to ${max}.`;
  return value;
}

function readHeaders(headers: readonly HeaderDraft[], faults: Record<string, string>): Record<string, string> {
  const filled = headers.filter(({ name, value }) => name.trim() !== "" || value !== "");
  const names = filled.map(({ name }) => name.trim());
  const wrong = names.find((name) => !HEADER_NAME.test(name));
  const own = names.find((name) => OWN_HEADERS.test(name));
  const double = names.find((name, index) => names.slice(0, index).some((other) => other.toLowerCase() === name.toLowerCase()));
  if (wrong !== undefined) faults["headers"] = wrong === "" ? "Each header needs a name." : `“${wrong}” is not a header name.`;
  else if (own !== undefined) faults["headers"] = `${own} frames a message, and cannot be set.`;
  else if (double !== undefined) faults["headers"] = `${double} is there twice.`;
  else if (names.length > ENDPOINT_BOUNDS.headers) faults["headers"] = `At most ${ENDPOINT_BOUNDS.headers} headers.`;
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}

/** The fields that faults can stand beside, as the form of this type shows them. */
export function fieldsOf(type: EndpointType): string[] {
  const common = ["target", "name", "interval_seconds", "timeout_seconds", ...typedNames(CHECK_SETTINGS)];
  return type === "tcp" ? common : [...common, "method", "expected_status", "headers", ...typedNames(HTTP_SETTINGS)];
}

function typedNames(table: SettingTable): string[] {
  return Object.values(table).flatMap(({ kind, name }) => (kind === "flag" ? [] : [name]));
}

/** The server's faults by the first part of their path: `headers.X-Token` is shown at the headers. */
export function byField(faults: EndpointFaults): EndpointFaults {
  return Object.fromEntries(Object.entries(faults).map(([path, message]) => [/^[a-z_]+/.exec(path)?.[0] ?? path, message]));
}
