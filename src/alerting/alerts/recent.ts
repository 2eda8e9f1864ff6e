import { HOUR_MS, MINUTE_MS, utcText } from "../../contract/time.ts";
import type { Event } from "../../events.ts";

/** How long ago an event may be to count as a cause. */
const EXIT_COUNTS_MS = 15 * MINUTE_MS;
const IMAGE_COUNTS_MS = HOUR_MS;
const MAX_KEPT = 5_000;

interface Exit {
  code: number;
  oomKilled: boolean;
  atMs: number;
}

interface ContainerName {
  agent_id: string | null;
  name: string;
}

/** What happened to containers lately, to explain why something is wrong. */
export interface Recent {
  note(event: Event): void;
  /**
   * `last exit code 137 (OOM killed) at 2026-03-01 11:59:20 UTC; image changed at 2026-03-01 11:57:00 UTC`; null when nothing is known. It is stored,
   * so it contains no age.
   */
  causeOf(container: ContainerName, at: string): string | null;
  /** The display name of a host; null when that is not known. */
  hostName: HostName;
  forgetHost(agentId: string): void;
}

/** The display name of a host; null for the local host, and when the name is not known. */
export type HostName = (agentId: string | null) => string | null;

export function createRecent(hostName: HostName = () => null): Recent {
  // By host and name: a container that is re-created with another image keeps its name, but not its id.
  const exits = new Map<string, Exit>();
  const images = new Map<string, { image: string; changedAtMs: number | null }>();

  return {
    hostName,
    forgetHost(agentId) {
      for (const map of [exits, images]) for (const name of map.keys()) if (name.startsWith(`${agentId}/`)) map.delete(name);
    },
    note(event) {
      if (!isAboutContainer(event)) return;
      const { data } = event;
      const name = nameKey(data);
      const atMs = Date.parse(data.timestamp);
      const known = images.get(name);
      if (known?.image !== data.image) keep(images, name, { image: data.image, changedAtMs: known === undefined ? null : atMs });
      if (event.type === "container.state_changed" && event.data.state !== "running" && event.data.exit_code !== null)
        keep(exits, name, { code: event.data.exit_code, oomKilled: event.data.oom_killed, atMs });
    },
    causeOf(container, at) {
      const name = nameKey(container);
      const atMs = Date.parse(at);
      const parts: string[] = [];
      const exit = exits.get(name);
      if (exit !== undefined && atMs - exit.atMs < EXIT_COUNTS_MS)
        parts.push(`last exit code ${exit.code}${exit.oomKilled ? " (OOM killed)" : ""} at ${utcText(exit.atMs)}`);
      const changedAtMs = images.get(name)?.changedAtMs ?? null;
      if (changedAtMs !== null && atMs - changedAtMs < IMAGE_COUNTS_MS) parts.push(`image changed at ${utcText(changedAtMs)}`);
      return parts.length === 0 ? null : parts.join("; ");
    },
  };
}

/** `40 s`, `3 min`, `2 h`. */
export function lengthText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

function isAboutContainer(event: Event): event is Extract<Event, { type: `container.${string}` }> {
  return event.type.startsWith("container.");
}

function nameKey({ agent_id, name }: ContainerName): string {
  return `${agent_id ?? ""}/${name}`;
}

/** Forgets the oldest entry when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_KEPT) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
