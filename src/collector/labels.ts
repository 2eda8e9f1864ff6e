import { distance } from "fastest-levenshtein";
import type { ContainerSettings, LabelError } from "../observations.ts";
import {
  type Parser,
  duration,
  flag,
  headerMap,
  hostAndPort,
  hostMaybePort,
  httpUrl,
  linearPattern,
  listOf,
  oneOf,
  plainText,
  statusPattern,
  wholeNumber,
} from "./label-values.ts";

const PREFIX = "service.";
const MAX_ENDPOINT_INDEX = 99;
const MAX_ERRORS = 50;
const MAX_LABEL_NAME = 255;

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/**
 * Every label, without the prefix and without an endpoint's index, and what its value must be. Source: contract, section 1.
 * Kubernetes annotations have the same names.
 */
const LABELS = {
  ignore: flag,
  group: plainText,
  "alert.severity": oneOf("critical", "warning", "info"),
  "alert.channels": listOf(plainText),
  "alert.tags": listOf(plainText),
  "alert.restart_threshold": wholeNumber(1, 1000),
  "endpoint.http": httpUrl,
  "endpoint.tcp": hostAndPort,
  "endpoint.interval": duration(5 * SECOND, DAY, "5s to 24h"),
  "endpoint.timeout": duration(SECOND, 60 * SECOND, "1s to 60s"),
  "endpoint.failure-threshold": wholeNumber(1, 100),
  "endpoint.recovery-threshold": wholeNumber(1, 100),
  "endpoint.http.method": oneOf("get", "head", "options", "post", "put", "patch", "delete"),
  "endpoint.http.expected-status": listOf(statusPattern),
  "endpoint.http.tls-verify": flag,
  "endpoint.http.headers": headerMap,
  "endpoint.http.max-redirects": wholeNumber(0, 20),
  "endpoint.http.body-contains": plainText,
  "certificate.domain": listOf(hostMaybePort),
  "certificate.port": listOf(wholeNumber(1, 65_535)),
  "update.enabled": flag,
  "update.track": oneOf("major", "minor", "patch", "digest"),
  "update.pin": plainText,
  "update.ignore_major": flag,
  "update.registry": hostMaybePort,
  "update.alert_on": oneOf("all", "critical", "none"),
  "update.digest_only": flag,
  "update.tag-include": linearPattern,
  "update.tag-exclude": linearPattern,
} satisfies Record<string, Parser<unknown>>;

type LabelName = keyof typeof LABELS;
type ValueOf<Name extends LabelName> = (typeof LABELS)[Name] extends Parser<infer Value> ? Value : never;

/** Reads a container's `service.*` labels. A label that is not understood is reported, and its default holds. */
export function parseLabels(labels: Readonly<Record<string, string>>): { settings: ContainerSettings; errors: LabelError[] } {
  const ours = Object.entries(labels).filter(([label]) => label.startsWith(PREFIX));
  const errors = [...ours.flatMap(([label, text]) => faultOf(label, text)), ...endpointFaults(ours.map(([label]) => label))];
  const value = <Name extends LabelName>(name: Name): ValueOf<Name> | undefined => valueOf(labels, name);
  return {
    settings: {
      ignored: value("ignore") ?? false,
      group: value("group") ?? null,
      alertSeverity: value("alert.severity") ?? "warning",
      alertChannels: value("alert.channels") ?? [],
      alertTags: value("alert.tags") ?? [],
      restartThreshold: value("alert.restart_threshold") ?? 3,
    },
    errors: errors.slice(0, MAX_ERRORS),
  };
}

function valueOf<Name extends LabelName>(labels: Readonly<Record<string, string>>, name: Name): ValueOf<Name> | undefined {
  const label = `${PREFIX}${name}`;
  const parsed = Object.hasOwn(labels, label) ? LABELS[name](labels[label] ?? "") : undefined;
  // The table pairs each name with the parser of its value, which the compiler cannot follow through an index.
  return parsed?.ok === true ? (parsed.value as ValueOf<Name>) : undefined;
}

function faultOf(label: string, text: string): LabelError[] {
  const { name, index } = splitIndex(label);
  if (!isLabelName(name)) return [error(label, `is not a known label${nearestTo(name)}`)];
  if (index !== undefined && index > MAX_ENDPOINT_INDEX) return [error(label, `has an index above ${MAX_ENDPOINT_INDEX}`)];
  const parsed = LABELS[name](text);
  return parsed.ok ? [] : [error(label, parsed.message)];
}

/** Rules between endpoint labels: a bare target is index 0, bare configuration holds for every index, each index has one target. */
function endpointFaults(labels: string[]): LabelError[] {
  const targets = new Map<number, string>();
  const faults: LabelError[] = [];
  for (const label of labels.toSorted()) {
    const { name, index = 0 } = splitIndex(label);
    if (name !== "endpoint.http" && name !== "endpoint.tcp") continue;
    const other = targets.get(index);
    if (other === undefined) targets.set(index, label);
    else faults.push(error(label, `names a second target for endpoint ${index}, besides ${bounded(other)}; give it another index`));
  }
  for (const label of labels) {
    const { name, index } = splitIndex(label);
    if (!name.startsWith("endpoint.") || !isLabelName(name) || name === "endpoint.http" || name === "endpoint.tcp") continue;
    const hasTarget = index === undefined ? targets.size > 0 : targets.has(index);
    if (!hasTarget)
      faults.push(
        error(
          label,
          `configures an endpoint without a target; add ${PREFIX}endpoint${index === undefined ? "" : `.${index}`}.http or .tcp`,
        ),
      );
  }
  return faults;
}

function splitIndex(label: string): { name: string; index: number | undefined } {
  const name = label.slice(PREFIX.length);
  const [, index, rest] = /^endpoint\.(\d{1,9})\.(.+)$/s.exec(name) ?? [];
  return index === undefined ? { name, index: undefined } : { name: `endpoint.${rest}`, index: Number(index) };
}

function isLabelName(name: string): name is LabelName {
  return Object.hasOwn(LABELS, name);
}

function nearestTo(name: string): string {
  const wanted = name.slice(0, 64);
  const [nearest] = Object.keys(LABELS)
    .map((known) => ({ known, distance: distance(wanted, known) }))
    .toSorted((left, right) => left.distance - right.distance);
  if (nearest === undefined || nearest.distance > Math.max(3, nearest.known.length / 2)) return "";
  return `; did you mean ${PREFIX}${nearest.known}?`;
}

function error(label: string, message: string): LabelError {
  return { label: bounded(label), message: `${bounded(label)} ${message}.`.replace(/\?\.$/, "?") };
}

function bounded(label: string): string {
  return label.slice(0, MAX_LABEL_NAME);
}
