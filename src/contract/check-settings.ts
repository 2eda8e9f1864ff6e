/**
 * The settings of a check that are a whole number, a yes or no, or a text. A row here is the setting's definition everywhere: in bodies and
 * records, labels, the agents' stream, stored checks, the form and the page. Settings of other shapes are in endpoint.ts.
 */
interface Named {
  /** In JSON. */
  name: string;
  /** As a label, without the prefix and the index. */
  label: string;
  /** On the page and in the form. */
  title: string;
  /** Below its field in the form. */
  hint: string;
}

interface NumberSetting extends Named {
  kind: "number";
  min: number;
  max: number;
  default: number;
  /** What one of it is; several are the hint. */
  one: string;
  /** What 0 means, where that has a word. */
  zero?: string;
}

interface FlagSetting extends Named {
  kind: "flag";
  default: boolean;
}

/** Found or used as it stands, white space and all; null without one. */
interface TextSetting extends Named {
  kind: "text";
  maxLength: number;
  default: null;
}

export type CheckSetting = NumberSetting | FlagSetting | TextSetting;
export type SettingTable = Readonly<Record<string, CheckSetting>>;

/** Of every check. Source: contract, section 2. */
export const CHECK_SETTINGS = {
  failureThreshold: {
    kind: "number",
    name: "failure_threshold",
    label: "endpoint.failure-threshold",
    ...{ min: 1, max: 100, default: 3 },
    ...{ title: "Down after", one: "failure in a row", hint: "failures in a row" },
  },
  recoveryThreshold: {
    kind: "number",
    name: "recovery_threshold",
    label: "endpoint.recovery-threshold",
    ...{ min: 1, max: 100, default: 2 },
    ...{ title: "Up after", one: "success in a row", hint: "successes in a row" },
  },
} as const satisfies SettingTable;

/** Of a check by HTTP alone. */
export const HTTP_SETTINGS = {
  maxRedirects: {
    kind: "number",
    name: "max_redirects",
    label: "endpoint.http.max-redirects",
    ...{ min: 0, max: 20, default: 5 },
    ...{ title: "Max redirects", one: "redirect", hint: "redirects", zero: "not followed" },
  },
  bodyContains: {
    kind: "text",
    name: "body_contains",
    label: "endpoint.http.body-contains",
    ...{ maxLength: 255, default: null },
    ...{ title: "Body contains", hint: "A keyword that must be in the response, case-sensitive. Leave empty to skip." },
  },
  tlsVerify: {
    kind: "flag",
    name: "tls_verify",
    label: "endpoint.http.tls-verify",
    default: true,
    ...{ title: "Fail on untrusted certificates", hint: "Otherwise the endpoint is degraded." },
  },
} as const satisfies SettingTable;

export type ValueOf<Setting extends CheckSetting> = Setting extends NumberSetting
  ? number
  : Setting extends FlagSetting
    ? boolean
    : string | null;
/** The values of a table's settings, as the program holds them. */
export type SettingsOf<Table extends SettingTable> = { -readonly [Key in keyof Table]: ValueOf<Table[Key]> };
/** The same as they stand in JSON. */
export type NamedSettingsOf<Table extends SettingTable, Absent = never> = {
  -readonly [Key in keyof Table as Table[Key]["name"]]: ValueOf<Table[Key]> | Absent;
};

type Value = number | boolean | string | null;

/** One value for each setting of a table. */
export function settingsOf<Table extends SettingTable>(
  table: Table,
  valueOf: (setting: Table[keyof Table], key: keyof Table & string) => Value,
): SettingsOf<Table> {
  const entries = Object.entries(table) as [keyof Table & string, Table[keyof Table]][];
  // The keys are the table's; the caller makes sure that a value is of its setting's kind.
  return Object.fromEntries(entries.map(([key, setting]) => [key, valueOf(setting, key)])) as SettingsOf<Table>;
}

export function defaultsOf<Table extends SettingTable>(table: Table): SettingsOf<Table> {
  return settingsOf(table, (setting) => setting.default);
}

/** The values by their names in JSON; all null where there are none. */
export function namedSettingsOf<Table extends SettingTable>(table: Table, values: SettingsOf<Table>): NamedSettingsOf<Table>;
export function namedSettingsOf<Table extends SettingTable>(table: Table, values: SettingsOf<Table> | null): NamedSettingsOf<Table, null>;
export function namedSettingsOf<Table extends SettingTable>(table: Table, values: SettingsOf<Table> | null): NamedSettingsOf<Table, null> {
  // The names are the table's.
  return Object.fromEntries(Object.entries(table).map(([key, { name }]) => [name, values?.[key] ?? null])) as NamedSettingsOf<Table, null>;
}
