/** What a change can happen to; `other`: what an alert of another source is about. */
export const ENTITY_TYPES = ["container", "endpoint", "heartbeat", "certificate", "agent", "host", "incident", "other"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Records that a sentence can rest on. */
export const EVIDENCE_KINDS = [
  "alert",
  "trace_evaluation",
  "delivery",
  "container",
  "transition",
  "samples",
  "image_change",
  "update",
  "endpoint",
  "endpoint_check",
  "heartbeat",
  "heartbeat_run",
  "certificate",
  "certificate_check",
  "agent",
  "incident_update",
] as const;

/** One record: by its id among those of its kind. */
export interface Evidence {
  kind: (typeof EVIDENCE_KINDS)[number];
  id: number | string;
  /** The time that it is about; null where its id says enough. */
  at: string | null;
}

export function evidence(kind: Evidence["kind"], id: Evidence["id"], at: string | null = null): Evidence {
  return { kind, id, at };
}

/** `45 s`, `14 min`, `3 h`, `2 days`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** `64 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[power] ?? "bytes"}`;
}

/** `1 restart`, `3 restarts`. */
export function countText(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** A word of the program's own as it may stand in a sentence; undefined for anything else. */
export function ownWord(text: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,63}$/.test(text) ? text.replaceAll("_", " ") : undefined;
}
