/** Records that a sentence can rest on. */
export const EVIDENCE_KINDS = [
  "alert",
  "trace_walk",
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
  /** When what it says was so; null where its id says enough. */
  at: string | null;
}

export function evidence(kind: Evidence["kind"], id: Evidence["id"], at: string | null = null): Evidence {
  return { kind, id, at };
}
