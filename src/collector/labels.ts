import { distance } from "fastest-levenshtein";
import {
  type CertificateTarget,
  type ContainerSettings,
  DEFAULT_UPDATE_SETTINGS as DEFAULT,
  type LabelError,
  type LabelledEndpoint,
} from "../observations.ts";
import { endpointsOf, targetsByIndex } from "./label-endpoints.ts";
import { isLabelName, LABELS, MAX_ENDPOINT_INDEX, PREFIX, readerOf, splitIndex, type ValueReader } from "./label-table.ts";

const MAX_TARGETS = 50;

const METHOD = "endpoint.http.method";
const SAFE_METHODS = ["get", "head"];
export const MAX_ERRORS = 50;
const MAX_LABEL_NAME = 255;

/** What a container's `service.*` labels ask for. */
export interface ReadLabels {
  settings: ContainerSettings;
  endpoints: LabelledEndpoint[];
  certificates: CertificateTarget[];
  errors: LabelError[];
}

/**
 * Reads a container's `service.*` labels. A label that is not understood is reported, and its default holds. `checkMethods` are those that
 * checks may use besides GET and HEAD, in lower case: whoever wrote an image must not have anything changed from here.
 */
export function parseLabels(labels: Readonly<Record<string, string>>, checkMethods: readonly string[] = []): ReadLabels {
  const ours = Object.entries(labels).filter(([label]) => label.startsWith(PREFIX));
  const names = ours.map(([label]) => label);
  const methods = [...SAFE_METHODS, ...checkMethods];
  const refused = ours.filter(([label, text]) => asksForOtherMethod(label, text, methods)).map(([label]) => label);
  const errors = [
    ...ours.flatMap(([label, text]) => faultOf(label, text)),
    ...refused.map((label) => labelError(label, `must be ${wordsOf(methods)}; SERVICE_LABEL_CHECK_METHODS allows more`)),
    ...endpointFaults(names),
    ...certificateFaults(names),
  ];
  const value = readerOf(Object.fromEntries(ours.filter(([label]) => !refused.includes(label))));
  return {
    settings: {
      ignored: value("ignore") ?? false,
      group: value("group") ?? null,
      alertSeverity: value("alert.severity") ?? "warning",
      alertChannels: value("alert.channels") ?? [],
      alertTags: value("alert.tags") ?? [],
      restartThreshold: value("alert.restart_threshold") ?? 3,
      downAfterMs: value("alert.down") ?? null,
      updates: {
        enabled: value("update.enabled") ?? DEFAULT.enabled,
        track: value("update.track") ?? DEFAULT.track,
        pin: value("update.pin") ?? DEFAULT.pin,
        ignoreMajor: value("update.ignore_major") ?? DEFAULT.ignoreMajor,
        registry: value("update.registry") ?? DEFAULT.registry,
        alertOn: value("update.alert_on") ?? DEFAULT.alertOn,
        digestOnly: value("update.digest_only") ?? DEFAULT.digestOnly,
        tagInclude: value("update.tag-include") ?? DEFAULT.tagInclude,
        tagExclude: value("update.tag-exclude") ?? DEFAULT.tagExclude,
      },
    },
    endpoints: endpointsOf(names, value),
    certificates: certificatesOf(value),
    errors: errors.slice(0, MAX_ERRORS),
  };
}

function faultOf(label: string, text: string): LabelError[] {
  const { name, index } = splitIndex(label);
  if (!isLabelName(name)) return [labelError(label, `is not a known label${nearestTo(name)}`)];
  if (index !== undefined && index > MAX_ENDPOINT_INDEX) return [labelError(label, `has an index above ${MAX_ENDPOINT_INDEX}`)];
  const parsed = LABELS[name](text);
  return parsed.ok ? [] : [labelError(label, parsed.message)];
}

function asksForOtherMethod(label: string, text: string, methods: readonly string[]): boolean {
  const { name } = splitIndex(label);
  if (name !== METHOD) return false;
  const parsed = LABELS[METHOD](text);
  return parsed.ok && !methods.includes(parsed.value);
}

function wordsOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Rules between endpoint labels: a bare target is index 0, bare configuration holds for every index, each index has one target. */
function endpointFaults(labels: string[]): LabelError[] {
  const targets = targetsByIndex(labels);
  const faults: LabelError[] = [];
  for (const label of labels) {
    const { name, index = 0 } = splitIndex(label);
    const first = targets.get(index);
    if ((name === "endpoint.http" || name === "endpoint.tcp") && first !== undefined && first !== label)
      faults.push(labelError(label, `names a second target for endpoint ${index}, besides ${bounded(first)}; give it another index`));
  }
  for (const label of labels) {
    const { name, index } = splitIndex(label);
    if (!name.startsWith("endpoint.") || !isLabelName(name) || name === "endpoint.http" || name === "endpoint.tcp") continue;
    const hasTarget = index === undefined ? targets.size > 0 : targets.has(index);
    if (!hasTarget)
      faults.push(
        labelError(
          label,
          `configures an endpoint without a target; add ${PREFIX}endpoint${index === undefined ? "" : `.${index}`}.http or .tcp`,
        ),
      );
  }
  return faults;
}

function certificateFaults(labels: string[]): LabelError[] {
  const [port, domain] = [`${PREFIX}certificate.port`, `${PREFIX}certificate.domain`];
  if (!labels.includes(port) || labels.includes(domain)) return [];
  return [labelError(port, `names a port without a host; add ${domain}`)];
}

function nearestTo(name: string): string {
  const wanted = name.slice(0, 64);
  const [nearest] = Object.keys(LABELS)
    .map((known) => ({ known, distance: distance(wanted, known) }))
    .toSorted((left, right) => left.distance - right.distance);
  if (nearest === undefined || nearest.distance > Math.max(3, nearest.known.length / 2)) return "";
  return `; did you mean ${PREFIX}${nearest.known}?`;
}

export function labelError(label: string, message: string): LabelError {
  return { label: bounded(label), message: `${bounded(label)} ${message}.`.replace(/\?\.$/, "?") };
}

function bounded(label: string): string {
  return label.slice(0, MAX_LABEL_NAME);
}

/** The peers whose certificates labels ask to be watched: each host at its own port, else at each of the ports. Source: contract, section 1. */
function certificatesOf(value: ValueReader): CertificateTarget[] {
  const ports = value("certificate.port") ?? [443];
  const targets = new Map<string, CertificateTarget>();
  for (const { host: domain, port } of value("certificate.domain") ?? []) {
    for (const each of port === undefined ? ports : [port]) targets.set(`${domain} ${each}`, { domain, port: each, serverName: domain });
  }
  return [...targets.values()].slice(0, MAX_TARGETS);
}
