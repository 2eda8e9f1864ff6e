import { distance } from "fastest-levenshtein";
import { CHECK_SETTINGS, HTTP_SETTINGS, settingsOf } from "../contract/check-settings.ts";
import { DEFAULT_EXPECTED_STATUS, ENDPOINT_BOUNDS } from "../contract/endpoint.ts";
import { orWords } from "../contract/words.ts";
import {
  type CertificateTarget,
  type ContainerSettings,
  DEFAULT_UPDATE_SETTINGS as DEFAULT,
  type LabelError,
  type LabelledEndpoint,
  type HttpCheck,
  type ContainerSighting,
} from "../observations.ts";
import type { RuntimeContainer } from "../runtimes/runtime.ts";
import {
  isLabelName,
  LABELS,
  MAX_ENDPOINT_INDEX,
  PREFIX,
  readerOf,
  splitIndex,
  type ValueReader,
  type LabelName,
  type LabelValue,
} from "./label-table.ts";

const MAX_TARGETS = 50;

const METHOD = "endpoint.http.method";
const SAFE_METHODS = ["get", "head"];
const MAX_ERRORS = 50;
const MAX_LABEL_NAME = 255;
/** Of all endpoints of a container: one label of headers is in each of them, and what an agent sends of a container is bounded. */
const MAX_ENDPOINT_BYTES = 512 * 1024;
/** How much longer than in its label the address of an endpoint can be. */
const LONGER = 9;

/** What a container's `service.*` labels ask for. */
export interface ReadLabels {
  settings: ContainerSettings;
  endpoints: LabelledEndpoint[];
  certificates: CertificateTarget[];
  errors: LabelError[];
}

/**
 * Reads a container's `service.*` labels. A label that is not understood is reported, and its default holds. `checkMethods` are those that
 * checks may use in addition to GET and HEAD, in lower case: whoever wrote an image must not have anything changed from here.
 */
export function parseLabels(labels: Readonly<Record<string, string>>, checkMethods: readonly string[] = []): ReadLabels {
  const ours = Object.entries(labels).filter(([label]) => label.startsWith(PREFIX));
  const names = ours.map(([label]) => label);
  const methods = [...SAFE_METHODS, ...checkMethods];
  const refused = ours.filter(([label, text]) => asksForOtherMethod(label, text, methods)).map(([label]) => label);
  const errors = [
    ...ours.flatMap(([label, text]) => faultOf(label, text)),
    ...refused.map((label) => labelError(label, `must be ${orWords(methods)}; SERVICE_LABEL_CHECK_METHODS allows more`)),
    ...endpointFaults(names),
    ...certificateFaults(names),
  ];
  const written = ours.reduce((sum, [label, text]) => sum + label.length + text.length, 0);
  const value = readerOf(Object.fromEntries(ours.filter(([label]) => !refused.includes(label))));
  const { endpoints, faults } = withinBytes(endpointsOf(names, value), written);
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
    endpoints,
    certificates: certificatesOf(value),
    errors: [...faults, ...errors].slice(0, MAX_ERRORS),
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

function isTarget(name: string): name is "endpoint.http" | "endpoint.tcp" {
  return name === "endpoint.http" || name === "endpoint.tcp";
}

/** Rules between endpoint labels: a bare target is index 0, bare configuration holds for every index, each index has one target. */
function endpointFaults(labels: string[]): LabelError[] {
  const targets = targetsByIndex(labels);
  const seconds = labels.flatMap((label) => {
    const { name, index = 0 } = splitIndex(label);
    const first = targets.get(index);
    if (!isTarget(name) || first === undefined || first === label) return [];
    return [labelError(label, `names a second target for endpoint ${index}, in addition to ${bounded(first)}; give it another index`)];
  });
  const strays = labels.flatMap((label) => {
    const { name, index } = splitIndex(label);
    if (!name.startsWith("endpoint.") || !isLabelName(name) || isTarget(name)) return [];
    if (index === undefined ? targets.size > 0 : targets.has(index)) return [];
    const wanted = `${PREFIX}endpoint${index === undefined ? "" : `.${index}`}.http or .tcp`;
    return [labelError(label, `configures an endpoint without a target; add ${wanted}`)];
  });
  return [...seconds, ...strays];
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

function labelError(label: string, message: string): LabelError {
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

const { interval, timeout } = ENDPOINT_BOUNDS;

/** Of the labels that name targets, the first of each index. */
export function targetsByIndex(labels: readonly string[]): Map<number, string> {
  const targets = new Map<number, string>();
  for (const label of labels.toSorted()) {
    const { name, index = 0 } = splitIndex(label);
    if (isTarget(name) && !targets.has(index)) targets.set(index, label);
  }
  return targets;
}

/**
 * The endpoints that labels ask for. A bare target is index 0, bare configuration holds for every index that has none.
 * An endpoint whose target was not understood is left out. Source: contract, section 1.
 */
function endpointsOf(labels: readonly string[], value: ValueReader): LabelledEndpoint[] {
  const endpoints: LabelledEndpoint[] = [];
  for (const [index, labelKey] of targetsByIndex(labels)) {
    const { name, index: written } = splitIndex(labelKey);
    const type = name === "endpoint.http" ? "http" : "tcp";
    const target = value(`endpoint.${type}`, written);
    if (target === undefined || index > MAX_ENDPOINT_INDEX) continue;
    const setting = <Name extends LabelName>(key: Name): LabelValue<Name> | undefined => value(key, index) ?? value(key);
    endpoints.push({
      labelKey,
      check: {
        type,
        target,
        intervalMs: setting("endpoint.interval") ?? interval.default * 1000,
        timeoutMs: setting("endpoint.timeout") ?? timeout.default * 1000,
        ...settingsOf(CHECK_SETTINGS, ({ label, default: otherwise }) => setting(label) ?? otherwise),
        http: type === "http" ? httpCheckOf(setting) : null,
      },
    });
  }
  return endpoints;
}

/** The first endpoints that are not too large together. Most labels are so short that nothing has to be measured. */
function withinBytes(endpoints: LabelledEndpoint[], written: number): { endpoints: LabelledEndpoint[]; faults: LabelError[] } {
  if (endpoints.length * written * LONGER <= MAX_ENDPOINT_BYTES) return { endpoints, faults: [] };
  let bytes = 0;
  const fitting = endpoints.filter((endpoint) => (bytes += Buffer.byteLength(JSON.stringify(endpoint))) <= MAX_ENDPOINT_BYTES);
  const faults = endpoints
    .slice(fitting.length)
    .map(({ labelKey }) =>
      labelError(labelKey, `is not checked: with it the endpoints of this container have more than ${MAX_ENDPOINT_BYTES / 1024} KiB`),
    );
  return { endpoints: fitting, faults };
}

function httpCheckOf(setting: <Name extends LabelName>(key: Name) => LabelValue<Name> | undefined): HttpCheck {
  return {
    method: setting("endpoint.http.method")?.toUpperCase() ?? "GET",
    expectedStatus: setting("endpoint.http.expected-status") ?? [DEFAULT_EXPECTED_STATUS],
    headers: setting("endpoint.http.headers") ?? {},
    ...settingsOf(HTTP_SETTINGS, ({ label, default: otherwise }) => setting(label) ?? otherwise),
  };
}

/** What labels may ask for, as the options say. */
export interface LabelPolicy {
  /** Methods of checks in addition to GET and HEAD, in lower case: SERVICE_LABEL_CHECK_METHODS. */
  checkMethods: readonly string[];
  /** `service.*` labels of an image count as those of its containers: SERVICE_IMAGE_LABELS. */
  imageLabels: boolean;
}

export const STRICT_LABELS: LabelPolicy = { checkMethods: [], imageLabels: false };

/** A container as its runtime shows it, with its labels read; without those of its image that steer something, unless they are allowed. */
export function toSighting({ imageLabels, ...container }: RuntimeContainer, policy = STRICT_LABELS): ContainerSighting {
  const ignored = imageLabels.filter((label) => !(policy.imageLabels && label.startsWith(PREFIX)));
  const labels = { ...container.labels };
  for (const label of ignored) delete labels[label];
  const { settings, endpoints, certificates, errors } = parseLabels(labels, policy.checkMethods);
  const labelErrors = [...ignored.filter((label) => label.startsWith(PREFIX)).map(ofImage), ...errors].slice(0, MAX_ERRORS);
  // What is wrong with a workload of a cluster, the alerts of the cluster say.
  const downAfterMs = settings.downAfterMs ?? (container.runtime === "kubernetes" ? 0 : null);
  return { ...container, labels, settings: { ...settings, downAfterMs }, labelErrors, endpoints, certificates };
}

function ofImage(label: string): LabelError {
  return labelError(label, "comes from the image and is ignored; write it on the container, or set SERVICE_IMAGE_LABELS=true");
}
