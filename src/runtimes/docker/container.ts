import { constants } from "node:os";
import type { Health, RuntimeState, Port } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";
import type { RuntimeContainer } from "../runtime.ts";
import { healthOf, namedLikeAttributes } from "./event.ts";
import { healthFailureOf } from "./health-failure.ts";
import { type Limits, NO_LIMITS, readLimits } from "./limits.ts";
import { NO_PODMAN_TRAITS, type PodmanTraits } from "./podman.ts";
import type { ContainerAnswer } from "./schemas.ts";

const MAX_LABELS = 512;
const MAX_LABEL_CHARACTERS = 8192;
const MAX_ERROR_CHARACTERS = 1000;

/** A container as inspected, with what only this runtime needs to know of it. */
export interface InspectedContainer {
  container: RuntimeContainer;
  /** A restart policy is set, so it may come back by itself. */
  restarts: boolean;
  /** A health check is defined. */
  checked: boolean;
  /** Names of its labels that are those of attributes of events: see `namedLikeAttributes`. */
  disguised: readonly string[];
  /** The number of the signal that asks it to stop, when it is not the usual one. */
  stopSignal: number | undefined;
  stopTimeoutMs: number | undefined;
  /** The engine removes it when it ends. */
  autoRemove: boolean;
  /** It only holds the namespaces of its pod. */
  infra: boolean;
  /** Who asked for its last end, where the engine keeps it; undefined where it does not. */
  stoppedByUser: boolean | undefined;
  /** Its first process, as the engine's host counts them; null while it has none. */
  pid: number | null;
  limits: Limits;
}

/** What is assumed of a container that was gone before anyone looked. */
export const NO_TRAITS: Omit<InspectedContainer, "container"> = {
  restarts: true,
  checked: false,
  disguised: [],
  stopSignal: undefined,
  stopTimeoutMs: undefined,
  autoRemove: true,
  infra: false,
  stoppedByUser: undefined,
  pid: null,
  limits: NO_LIMITS,
};

/** What is known of a container's image beside its name. */
export interface ImageTraits {
  /** Its digest in its registry; undefined when it has none or is not known. */
  repositoryDigest: string | undefined;
  /** As `linux/arm/v7`. */
  platform: string | null;
  /** Names of labels that steer something and that the container has from it. */
  labels: readonly string[];
  /** Names of labels that say what the container belongs to, though nobody but the image does. */
  claims: readonly string[];
}

/** Reads an inspect answer. */
export function readContainer(
  answer: ContainerAnswer,
  { repositoryDigest, platform, labels: imageLabels, claims }: ImageTraits,
  { pod, infra, stoppedByUser }: PodmanTraits = NO_PODMAN_TRAITS,
): InspectedContainer {
  const { State, Config, HostConfig } = answer;
  const state = stateOf(State);
  const started = timeOf(State.StartedAt);
  const everEnded = started !== null && hasEnded(state);
  const checked = hasHealthCheck(Config.Healthcheck?.Test);
  return {
    container: {
      externalId: answer.Id,
      name: cleanName(answer.Name.replace(/^\//, "")),
      image: cleanName(Config.Image === "" ? answer.Image : Config.Image, 512),
      imageDigest: repositoryDigest ?? (answer.ImageDigest || answer.Image || null),
      imageId: isStoredByDigest(answer, repositoryDigest) ? null : withAlgorithm(answer.Image),
      imagePlatform: platform,
      state,
      health: healthWhile(state, State.Health?.Status || State.Healthcheck?.Status || (checked ? "starting" : "")),
      healthFailure: isAlive(state) ? healthFailureOf(State) : null,
      exitCode: everEnded ? State.ExitCode : null,
      oomKilled: everEnded && State.OOMKilled && State.ExitCode !== 0,
      errorDetail: cleanName(State.Error, MAX_ERROR_CHARACTERS) || null,
      stopRequested: everEnded && stoppedByUser === true,
      restartCount: answer.RestartCount,
      ...fromLabels(without(claims, Config.Labels), pod),
      imageLabels,
      ports: portsOf(answer),
      networkMode: networkMode(HostConfig?.NetworkMode ?? ""),
      privileged: HostConfig?.Privileged ?? false,
      createdAt: timeOf(answer.Created),
      startedAt: started,
      finishedAt: timeOf(State.FinishedAt),
    },
    restarts: !["", "no"].includes(HostConfig?.RestartPolicy?.Name ?? ""),
    checked,
    disguised: namedLikeAttributes(Config.Labels),
    stopSignal: signalNumber(Config.StopSignal ?? undefined),
    autoRemove: HostConfig?.AutoRemove ?? false,
    infra,
    stoppedByUser,
    stopTimeoutMs: Config.StopTimeout == null ? undefined : Config.StopTimeout * 1000,
    pid: State.Pid > 0 ? State.Pid : null,
    limits: readLimits(HostConfig),
  };
}

/** What is known of a container from its labels and its pod, which is grouped as a stack is. */
export function fromLabels(
  raw: Record<string, string | null>,
  pod: string | null = null,
): Pick<RuntimeContainer, "labels" | "project" | "unit" | "runtime"> {
  const labels = boundedLabels(raw);
  const compose = cleanName(labels["com.docker.compose.project"] ?? "");
  const stack = cleanName(labels["com.docker.stack.namespace"] ?? pod ?? "");
  return {
    labels,
    project: compose !== "" ? { name: compose, source: "compose" } : stack !== "" ? { name: stack, source: "stack" } : null,
    unit: cleanName(labels["com.docker.compose.service"] ?? labels["com.docker.swarm.service.name"] ?? "") || null,
    runtime: "com.docker.swarm.service.id" in labels ? "swarm" : "docker",
  };
}

function without(names: readonly string[], labels: Record<string, string | null>): Record<string, string | null> {
  return names.length === 0 ? labels : Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));
}

/** Not what holds the namespaces of a pod, nor what was made for one command. */
export function isWatched({ container, infra }: InspectedContainer): boolean {
  return !infra && !isOneOff(container.labels);
}

/** A container that `docker compose run` made for one command: nobody's to watch. */
export function isOneOff(labels: Record<string, string | null>): boolean {
  return labels["com.docker.compose.oneoff"]?.toLowerCase() === "true";
}

export function hasEnded(state: RuntimeState): boolean {
  return state === "exited" || state === "dead" || state === "restarting";
}

/** It has processes, and so it uses something. */
export function isAlive(state: RuntimeState): boolean {
  return state === "running" || state === "paused";
}

/** Only what runs has a health: a container that has ended keeps its last one in the engine, which would be read as still true. */
export function healthWhile(state: RuntimeState, status: string): Health | null {
  return isAlive(state) ? healthOf(status) : null;
}

/** The containerd image store knows an image by its digest in the registry, which does not show the image's own id. */
function isStoredByDigest({ Image, ImageManifestDescriptor }: ContainerAnswer, repositoryDigest: string | undefined): boolean {
  return repositoryDigest === Image || ImageManifestDescriptor != null;
}

/** Podman leaves the algorithm out. */
function withAlgorithm(imageId: string): string | null {
  if (imageId === "") return null;
  return imageId.includes(":") ? imageId : `sha256:${imageId}`;
}

/** The number of a signal given as `15`, `SIGTERM` or `TERM`. */
export function signalNumber(signal: string | number | undefined): number | undefined {
  if (signal === undefined || signal === "") return undefined;
  if (/^\d+$/.test(String(signal))) return Number(signal);
  const name = `SIG${String(signal).toUpperCase().replace(/^SIG/, "")}`;
  return Object.entries(constants.signals).find(([known]) => known === name)?.[1];
}

/** The engine's states; `configured`, `initialized`, `stopping` and `stopped` are Podman's. */
const STATES: Record<string, RuntimeState> = {
  created: "created",
  configured: "created",
  initialized: "created",
  running: "running",
  stopping: "running",
  paused: "paused",
  restarting: "restarting",
  removing: "exited",
  exited: "exited",
  stopped: "exited",
  dead: "dead",
};

/** A state by the engine's word for it; undefined for one that is not known. */
export function stateNamed(word: string): RuntimeState | undefined {
  return STATES[word.toLowerCase()];
}

function stateOf({ Status, Running, Paused, Restarting, Dead }: ContainerAnswer["State"]): RuntimeState {
  const named = stateNamed(Status);
  if (named !== undefined) return named;
  if (Dead) return "dead";
  if (Restarting) return "restarting";
  if (Paused) return "paused";
  return Running ? "running" : "exited";
}

function hasHealthCheck(test: string[] | null | undefined): boolean {
  return test != null && test.length > 0 && test[0] !== "NONE";
}

/** Engines say year 1 for never. */
export function timeOf(text: string): Date | null {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time.getTime() <= 0 ? null : time;
}

function networkMode(mode: string): string | null {
  return mode === "default" ? "bridge" : cleanName(mode) || null;
}

export function boundedLabels(raw: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(raw).slice(0, MAX_LABELS);
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(0, 512), (value ?? "").slice(0, MAX_LABEL_CHARACTERS)]));
}

/** A published range may hold tens of thousands of ports; nobody reads more than these. */
const MAX_PORTS = 200;
const MAX_PORT = 65_535;

/** The published and exposed ports: as they are bound while it runs, else as they were asked for. */
function portsOf({ Config, HostConfig, NetworkSettings }: Pick<ContainerAnswer, "Config" | "HostConfig" | "NetworkSettings">): Port[] {
  const bound = NetworkSettings?.Ports ?? {};
  const asked = { ...Object.fromEntries(Object.keys(Config.ExposedPorts).map((key) => [key, null])), ...HostConfig?.PortBindings };
  const map = Object.keys(bound).length > 0 ? bound : asked;
  return Object.entries(map)
    .flatMap(([key, bindings]) => portsOfKey(key, bindings))
    .sort(byNumber)
    .slice(0, MAX_PORTS);
}

function portsOfKey(key: string, bindings: { HostIp: string; HostPort: string }[] | null): Port[] {
  const [, number, protocol = "tcp"] = /^(\d{1,5})(?:\/(tcp|udp|sctp))?$/.exec(key) ?? [];
  // An image may expose what no port can be.
  if (number === undefined || Number(number) > MAX_PORT || !isProtocol(protocol)) return [];
  const port = { containerPort: Number(number), protocol };
  if (bindings === null || bindings.length === 0) return [{ ...port, hostIp: null, hostPort: null }];
  return bindings.map(({ HostIp, HostPort }) => {
    const hostPort = Number(HostPort);
    return hostPort > 0 && hostPort <= MAX_PORT
      ? { ...port, hostIp: HostIp === "" ? "0.0.0.0" : HostIp, hostPort }
      : { ...port, hostIp: null, hostPort: null };
  });
}

function isProtocol(text: string): text is Port["protocol"] {
  return text === "tcp" || text === "udp" || text === "sctp";
}

function byNumber(left: Port, right: Port): number {
  return left.containerPort - right.containerPort || (left.hostPort ?? 0) - (right.hostPort ?? 0);
}
