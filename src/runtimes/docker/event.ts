import type { Health } from "../../observations.ts";
import { parseJson } from "../json.ts";
import { eventLine } from "./schemas.ts";

/** What can happen to a container that is worth a look. The rest (attach, exec, top, copy...) is noise. */
export type EngineAction =
  | "create"
  | "start"
  | "die"
  | "pause"
  | "unpause"
  | "health_status"
  | "rename"
  | "update"
  | "oom"
  | "kill"
  | "stop"
  | "restart"
  | "cleanup"
  | "disconnect"
  | "destroy";

/** One event of a container. `timeNs` is the engine's clock in nanoseconds. */
export interface EngineEvent {
  action: EngineAction;
  containerId: string;
  timeNs: bigint;
  name: string;
  image: string;
  labels: Record<string, string | null>;
  exitCode: number | null;
  health: Health | null;
  signal: string | undefined;
  /** Podman sent it. */
  podman: boolean;
}

/** Names of events as engines spell them; `died`, `remove` and `cleanup` are Podman's. */
const ACTIONS: Record<string, EngineAction> = {
  create: "create",
  start: "start",
  die: "die",
  died: "die",
  pause: "pause",
  unpause: "unpause",
  health_status: "health_status",
  rename: "rename",
  update: "update",
  oom: "oom",
  kill: "kill",
  stop: "stop",
  restart: "restart",
  cleanup: "cleanup",
  disconnect: "disconnect",
  destroy: "destroy",
  remove: "destroy",
};

/** What the engine itself is asked to leave out: exec events of health checks would otherwise be most of the stream. */
export const EVENT_FILTERS = JSON.stringify({ type: ["container", "network"], event: Object.keys(ACTIONS) });

/** Attributes that are not labels. */
const OWN_ATTRIBUTES = new Set([
  "image",
  "name",
  "exitCode",
  "containerExitCode",
  "execDuration",
  "signal",
  "oldName",
  "execID",
  "health_status",
  "podId",
]);

/** Names of labels that have the name of such an attribute. The engine copies labels over the attributes, so what an event says there is the label's. */
export function namedLikeAttributes(labels: Record<string, unknown>): string[] {
  return [...OWN_ATTRIBUTES].filter((name) => Object.hasOwn(labels, name));
}

/** The event without what a label of its container may have put into it. */
export function trusted(event: EngineEvent, disguised: readonly string[]): EngineEvent {
  return disguised.includes("exitCode") || disguised.includes("containerExitCode") ? { ...event, exitCode: null } : event;
}

/** Reads one line of the event stream. Undefined for what is not about a container, not of interest, or not understood. */
export function parseEvent(line: string, { podman }: Pick<EngineEvent, "podman">): EngineEvent | undefined {
  const parsed = eventLine.safeParse(parseJson(line));
  if (!parsed.success) return undefined;
  const { Type, Action, status, id, Actor } = parsed.data;
  const [word = "", detail = ""] = (Action || status).split(": ", 2);
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  const attributes = Actor?.Attributes ?? {};
  const aboutNetwork = Type === "network";
  const containerId = aboutNetwork ? attributes["container"] : Actor?.ID || id;
  const timeNs = timeOf(line, parsed.data.time);
  if (action === undefined || !containerId || timeNs === undefined || (Type !== "container" && !aboutNetwork && Type !== ""))
    return undefined;
  if (aboutNetwork !== (action === "disconnect")) return undefined;
  return {
    action,
    containerId,
    timeNs,
    name: attributes["name"] ?? "",
    image: attributes["image"] ?? "",
    labels: Object.fromEntries(Object.entries(attributes).filter(([name]) => !OWN_ATTRIBUTES.has(name))),
    exitCode: integer(attributes["exitCode"] ?? attributes["containerExitCode"]),
    health: healthOf(detail || attributes["health_status"] || parsed.data.HealthStatus),
    signal: attributes["signal"] ?? undefined,
    podman,
  };
}

/** Nanoseconds do not fit a JavaScript number, so they are read from the text. */
function timeOf(line: string, seconds: number | null | undefined): bigint | undefined {
  const exact = /"timeNano":\s*(\d{1,19})\b/.exec(line)?.[1];
  if (exact !== undefined) return BigInt(exact);
  return seconds == null ? undefined : BigInt(Math.trunc(seconds)) * 1_000_000_000n;
}

function integer(text: string | null | undefined): number | null {
  return text != null && /^-?\d{1,9}$/.test(text) ? Number(text) : null;
}

export function healthOf(text: string): Health | null {
  return text === "healthy" || text === "unhealthy" || text === "starting" ? text : null;
}

const NS_PER_SECOND = 1_000_000_000n;

/** Cursors are times of the engine's clock to the nanosecond, written as the engine takes them: seconds, a point, nine digits. Inclusive. */
export function cursorAt(timeNs: bigint): string {
  return `${timeNs / NS_PER_SECOND}.${String(timeNs % NS_PER_SECOND).padStart(9, "0")}`;
}

/** Where to resume once everything up to a time was reported. */
export function cursorAfter(timeNs: bigint): string {
  return cursorAt(timeNs + 1n);
}

/** A time, or a cursor, as the engine's `since`. */
export function sinceParameter(since: string | Date): string {
  return typeof since === "string" ? since : cursorAt(BigInt(since.getTime()) * 1_000_000n);
}
