import type { MessageInitShape } from "@bufbuild/protobuf";
import { DAY_MS } from "../../contract/time.ts";
import {
  type ContainerSighting,
  HEALTH_OUTPUT_CHARACTERS,
  type HealthFailure,
  type Port,
  type ContainerSettings,
  DEFAULT_UPDATE_SETTINGS,
  type UpdateSettings,
} from "../../observations.ts";
import { fromTarget } from "./certificate.ts";
import { fromEndpoint, toEndpoint } from "./endpoint.ts";
import { ContainerHealth, UpdateTrack } from "./gen/service/agent/v1/ingest_pb.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import {
  MAX_CERTIFICATES,
  MAX_ENDPOINTS,
  MAX_ERROR,
  MAX_ID,
  MAX_IMAGE,
  MAX_LABEL_ERRORS,
  MAX_LABEL_NAME,
  MAX_LABEL_VALUE,
  MAX_LABELS,
  MAX_NAME,
  MAX_PORTS,
  PORT_NUMBERS,
  MAX_LIST,
  MAX_PATTERN,
} from "./limits.ts";
import {
  dateOf,
  idOf,
  linesOf,
  listOf,
  msOf,
  nameOf,
  numberOf,
  optionalDate,
  optionalName,
  required,
  within,
  pairsOf,
  textOf,
} from "./values.ts";
import { HEALTHS, PROJECT_SOURCES, PROTOCOLS, RUNTIMES, STATES, SEVERITIES, TRACKS, UPDATE_ALERTS } from "./vocabulary.ts";

export function toContainer(container: ContainerSighting): MessageInitShape<typeof wire.ContainerSchema> {
  const { project } = container;
  return {
    externalId: container.externalId,
    name: container.name,
    image: container.image,
    imageDigest: container.imageDigest ?? undefined,
    imageId: container.imageId ?? undefined,
    imagePlatform: container.imagePlatform ?? undefined,
    state: STATES.numbers[container.state],
    health: container.health === null ? ContainerHealth.UNSPECIFIED : HEALTHS.numbers[container.health],
    healthFailure: toHealthFailure(container.healthFailure),
    exitCode: container.exitCode === null ? undefined : BigInt(container.exitCode),
    oomKilled: container.oomKilled,
    errorDetail: container.errorDetail ?? undefined,
    stopRequested: container.stopRequested,
    restartCount: container.restartCount,
    project: project === null ? undefined : { name: project.name, source: PROJECT_SOURCES.numbers[project.source] },
    unit: container.unit ?? undefined,
    ...toLabelled(container),
    ports: container.ports.map(toPort),
    networkMode: container.networkMode ?? undefined,
    privileged: container.privileged,
    runtime: RUNTIMES.numbers[container.runtime],
    createdAtMs: msOf(container.createdAt),
    startedAtMs: msOf(container.startedAt),
    finishedAtMs: msOf(container.finishedAt),
  };
}

function toHealthFailure(failure: HealthFailure | null): MessageInitShape<typeof wire.HealthFailureSchema> | undefined {
  return failure === null ? undefined : { exitCode: failure.exitCode, output: failure.output, endedAtMs: msOf(failure.endedAt) };
}

function toPort({ containerPort, protocol, hostIp, hostPort }: Port): MessageInitShape<typeof wire.PortSchema> {
  return { containerPort, protocol: PROTOCOLS.numbers[protocol], hostIp: hostIp ?? undefined, hostPort: hostPort ?? undefined };
}

export function fromContainer(sent: wire.Container | undefined, where: string): ContainerSighting {
  const container = required(sent, where);
  return {
    externalId: idOf(container.externalId, `${where}.external_id`, MAX_ID),
    name: nameOf(container.name, `${where}.name`, MAX_NAME),
    image: nameOf(container.image, `${where}.image`, MAX_IMAGE),
    imageDigest: optionalName(container.imageDigest, `${where}.image_digest`, MAX_IMAGE),
    imageId: optionalName(container.imageId, `${where}.image_id`, MAX_IMAGE),
    imagePlatform: optionalName(container.imagePlatform, `${where}.image_platform`, MAX_NAME),
    state: required(STATES.wordOf(container.state), `${where}.state`),
    health: HEALTHS.wordOf(container.health) ?? null,
    healthFailure: fromHealthFailure(container.healthFailure, `${where}.health_failure`),
    exitCode: container.exitCode === undefined ? null : numberOf(container.exitCode, `${where}.exit_code`),
    oomKilled: container.oomKilled,
    errorDetail: optionalName(container.errorDetail, `${where}.error_detail`, MAX_ERROR),
    stopRequested: container.stopRequested,
    restartCount: container.restartCount,
    project: fromProject(container.project, `${where}.project`),
    unit: optionalName(container.unit, `${where}.unit`, MAX_NAME),
    ...fromLabelled(container, where),
    ports: listOf(container.ports, `${where}.ports`, { most: MAX_PORTS, read: fromPort }),
    networkMode: optionalName(container.networkMode, `${where}.network_mode`, MAX_NAME),
    privileged: container.privileged,
    runtime: required(RUNTIMES.wordOf(container.runtime), `${where}.runtime`),
    createdAt: optionalDate(container.createdAtMs, `${where}.created_at_ms`),
    startedAt: optionalDate(container.startedAtMs, `${where}.started_at_ms`),
    finishedAt: optionalDate(container.finishedAtMs, `${where}.finished_at_ms`),
  };
}

function fromHealthFailure(sent: wire.HealthFailure | undefined, where: string): HealthFailure | null {
  if (sent === undefined) return null;
  const output = linesOf(sent.output, `${where}.output`, HEALTH_OUTPUT_CHARACTERS);
  return { exitCode: sent.exitCode, output, endedAt: dateOf(sent.endedAtMs, `${where}.ended_at_ms`) };
}

function fromProject(sent: wire.Project | undefined, where: string): ContainerSighting["project"] {
  if (sent === undefined) return null;
  const name = nameOf(sent.name, `${where}.name`, MAX_NAME);
  return name === "" ? null : { name, source: required(PROJECT_SOURCES.wordOf(sent.source), `${where}.source`) };
}

type LabelledFields = "labels" | "settings" | "labelErrors" | "endpoints" | "certificates";

/** The labels of a container or a service, and what was read from them. */
export function toLabelled({ labels, settings, labelErrors, endpoints, certificates }: Pick<ContainerSighting, LabelledFields>) {
  return { labels, settings: toSettings(settings), labelErrors, endpoints: endpoints.map(toEndpoint), certificates };
}

export function fromLabelled(sent: Pick<wire.Container, LabelledFields>, where: string): Pick<ContainerSighting, LabelledFields> {
  return {
    labels: pairsOf(sent.labels, `${where}.labels`, { most: MAX_LABELS, maxName: MAX_LABEL_NAME, maxValue: MAX_LABEL_VALUE }),
    settings: fromSettings(sent.settings, `${where}.settings`),
    labelErrors: listOf(sent.labelErrors, `${where}.label_errors`, { most: MAX_LABEL_ERRORS, read: fromLabelError }),
    endpoints: listOf(sent.endpoints, `${where}.endpoints`, { most: MAX_ENDPOINTS, read: fromEndpoint }),
    certificates: listOf(sent.certificates, `${where}.certificates`, { most: MAX_CERTIFICATES, read: fromTarget }),
  };
}

function fromLabelError(sent: wire.LabelError, where: string): ContainerSighting["labelErrors"][number] {
  return { label: nameOf(sent.label, `${where}.label`, MAX_LABEL_NAME), message: nameOf(sent.message, `${where}.message`, MAX_ERROR) };
}

function fromPort(sent: wire.Port, where: string): Port {
  return {
    containerPort: within(sent.containerPort, `${where}.container_port`, [0, 65_535]),
    protocol: PROTOCOLS.wordOf(sent.protocol) ?? "tcp",
    hostIp: optionalName(sent.hostIp, `${where}.host_ip`, 64),
    hostPort: sent.hostPort === undefined ? null : within(sent.hostPort, `${where}.host_port`, PORT_NUMBERS),
  };
}

/** How many restarts make a loop, unless the agent sends a number. */
const RESTART_THRESHOLD = 3;
const LONGEST_DOWN_MS = DAY_MS;

function toSettings(settings: ContainerSettings): MessageInitShape<typeof wire.ContainerSettingsSchema> {
  return {
    ignored: settings.ignored,
    group: settings.group ?? undefined,
    alertSeverity: SEVERITIES.numbers[settings.alertSeverity],
    alertChannels: settings.alertChannels,
    alertTags: settings.alertTags,
    restartThreshold: settings.restartThreshold,
    downAfterMs: settings.downAfterMs ?? undefined,
    updates: toUpdates(settings.updates),
  };
}

function toUpdates(updates: UpdateSettings): MessageInitShape<typeof wire.UpdateSettingsSchema> {
  return {
    disabled: !updates.enabled,
    track: updates.track === null ? UpdateTrack.UNSPECIFIED : TRACKS.numbers[updates.track],
    pin: updates.pin ?? undefined,
    ignoreMajor: updates.ignoreMajor,
    registry: updates.registry ?? undefined,
    alertOn: UPDATE_ALERTS.numbers[updates.alertOn],
    digestOnly: updates.digestOnly,
    tagInclude: updates.tagInclude ?? undefined,
    tagExclude: updates.tagExclude ?? undefined,
  };
}

/** Without settings the defaults apply. */
function fromSettings(sent: wire.ContainerSettings | undefined, where: string): ContainerSettings {
  const names = (list: readonly string[], name: string): string[] =>
    listOf(list, `${where}.${name}`, { most: MAX_LIST, read: (item, place) => nameOf(item, place, MAX_NAME) });
  return {
    ignored: sent?.ignored ?? false,
    group: optionalName(sent?.group, `${where}.group`, MAX_NAME),
    alertSeverity: SEVERITIES.wordOf(sent?.alertSeverity ?? 0) ?? "warning",
    alertChannels: names(sent?.alertChannels ?? [], "alert_channels"),
    alertTags: names(sent?.alertTags ?? [], "alert_tags"),
    restartThreshold: within(sent?.restartThreshold || RESTART_THRESHOLD, `${where}.restart_threshold`, [1, 1000]),
    downAfterMs: sent?.downAfterMs === undefined ? null : within(sent.downAfterMs, `${where}.down_after_ms`, [0, LONGEST_DOWN_MS]),
    updates: sent?.updates === undefined ? DEFAULT_UPDATE_SETTINGS : fromUpdates(sent.updates, `${where}.updates`),
  };
}

function fromUpdates(sent: wire.UpdateSettings, where: string): UpdateSettings {
  const pattern = (text: string | undefined, name: string): string | null =>
    text === undefined ? null : textOf(text, `${where}.${name}`, MAX_PATTERN);
  return {
    enabled: !sent.disabled,
    track: TRACKS.wordOf(sent.track) ?? null,
    pin: optionalName(sent.pin, `${where}.pin`, MAX_NAME),
    ignoreMajor: sent.ignoreMajor,
    registry: optionalName(sent.registry, `${where}.registry`, MAX_NAME),
    alertOn: UPDATE_ALERTS.wordOf(sent.alertOn) ?? "all",
    digestOnly: sent.digestOnly,
    tagInclude: pattern(sent.tagInclude, "tag_include"),
    tagExclude: pattern(sent.tagExclude, "tag_exclude"),
  };
}
