import { SEVERITIES } from "../contract/alert.ts";
import { CHECK_SETTINGS, type CheckSetting, HTTP_SETTINGS, type SettingTable, type ValueOf } from "../contract/check-settings.ts";
import { CHECK_METHODS, ENDPOINT_BOUNDS } from "../contract/endpoint.ts";
import { DAY_MS, SECOND_MS } from "../contract/time.ts";
import {
  type Parser,
  duration,
  durationOrOff,
  flag,
  headerMap,
  hostAndPort,
  hostMaybePort,
  httpUrl,
  linearPattern,
  listOf,
  oneOf,
  plainText,
  registryHost,
  runbookText,
  statusPattern,
  textUpTo,
  wholeNumber,
} from "./label-values.ts";

export const PREFIX = "service.";
export const MAX_ENDPOINT_INDEX = 99;

const { interval, timeout } = ENDPOINT_BOUNDS;

/** A label and its parser for each setting of a table. */
type SettingLabels<Table extends SettingTable> = {
  [Key in keyof Table as Table[Key]["label"]]: Parser<NonNullable<ValueOf<Table[Key]>>>;
};

function labelsOf<Table extends SettingTable>(table: Table): SettingLabels<Table> {
  // Each label stands beside the parser of its kind, which the compiler cannot follow through a list.
  return Object.fromEntries(Object.values(table).map((setting) => [setting.label, parserOf(setting)])) as SettingLabels<Table>;
}

function parserOf(setting: CheckSetting): Parser<unknown> {
  if (setting.kind === "flag") return flag;
  return setting.kind === "number" ? wholeNumber(setting.min, setting.max) : textUpTo(setting.maxLength);
}

/**
 * Every label, without the prefix and without an endpoint's index, and what its value must be. Source: contract, section 1.
 * Kubernetes annotations have the same names.
 */
export const LABELS = {
  ignore: flag,
  group: plainText,
  "alert.severity": oneOf(...SEVERITIES),
  "alert.channels": listOf(plainText),
  "alert.tags": listOf(plainText),
  "alert.restart_threshold": wholeNumber(1, 1000),
  "alert.down": durationOrOff(SECOND_MS, DAY_MS, "1s to 24h"),
  "endpoint.http": httpUrl,
  "endpoint.tcp": hostAndPort,
  "endpoint.interval": duration(interval.min * SECOND_MS, interval.max * SECOND_MS, "5s to 24h"),
  "endpoint.timeout": duration(timeout.min * SECOND_MS, timeout.max * SECOND_MS, "1s to 60s"),
  ...labelsOf(CHECK_SETTINGS),
  "endpoint.http.method": oneOf(...CHECK_METHODS.map((method) => method.toLowerCase())),
  "endpoint.http.expected-status": listOf(statusPattern),
  "endpoint.http.headers": headerMap,
  ...labelsOf(HTTP_SETTINGS),
  "certificate.domain": listOf(hostMaybePort),
  "certificate.port": listOf(wholeNumber(1, 65_535)),
  "update.enabled": flag,
  "update.track": oneOf("major", "minor", "patch", "digest"),
  "update.pin": plainText,
  "update.ignore_major": flag,
  "update.registry": registryHost,
  "update.alert_on": oneOf("all", "critical", "none"),
  "update.digest_only": flag,
  "update.tag-include": linearPattern,
  "update.tag-exclude": linearPattern,
  // Read where logs are stored: see monitoring/logs/ingestion.ts.
  "logs.keep": flag,
  // Read by assistants alone: see publishing/assistant/resources.ts.
  runbook: runbookText,
} satisfies Record<string, Parser<unknown>>;

export type LabelName = keyof typeof LABELS;
export type LabelValue<Name extends LabelName> = (typeof LABELS)[Name] extends Parser<infer Value> ? Value : never;

/** What a label says; undefined when it is not there or was not understood. */
export type ValueReader = <Name extends LabelName>(name: Name, index?: number) => LabelValue<Name> | undefined;

/** Reads values out of a container's labels; with an index, those of one endpoint: `service.endpoint.N.*`. */
export function readerOf(labels: Readonly<Record<string, string>>): ValueReader {
  const texts = new Map<string, string>();
  for (const [label, text] of Object.entries(labels)) {
    if (!label.startsWith(PREFIX)) continue;
    const { name, index } = splitIndex(label);
    texts.set(place(name, index), text);
  }
  return <Name extends LabelName>(name: Name, index?: number) => {
    const text = texts.get(place(name, index));
    const parsed = text === undefined ? undefined : LABELS[name](text);
    // The table pairs each name with the parser of its value, which the compiler cannot follow through an index.
    return parsed?.ok === true ? (parsed.value as LabelValue<Name>) : undefined;
  };
}

/** `service.endpoint.2.interval` is `endpoint.interval` of index 2. */
export function splitIndex(label: string): { name: string; index: number | undefined } {
  const name = label.slice(PREFIX.length);
  const [, index, rest] = /^endpoint\.(\d{1,9})\.(.+)$/s.exec(name) ?? [];
  return index === undefined ? { name, index: undefined } : { name: `endpoint.${rest}`, index: Number(index) };
}

export function isLabelName(name: string): name is LabelName {
  return Object.hasOwn(LABELS, name);
}

/** `service.endpoint.01.http` and `service.endpoint.1.http` are the same place. */
function place(name: string, index: number | undefined): string {
  return `${index ?? ""} ${name}`;
}
