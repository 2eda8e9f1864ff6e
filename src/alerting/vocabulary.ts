/** The nouns that the parts of alerting hand to each other. Source: specification, Alert; contract, section 6. */

import type { AlertSource, Severity } from "../contract/alert.ts";

export { ALERT_SOURCES, type AlertSource, SEVERITIES, type Severity } from "../contract/alert.ts";

/** A monitored thing: `container` and `42`, `agent` and a UUID. */
export interface Entity {
  type: string;
  id: string;
}

/** One problem: at most one active alert has it. */
export interface AlertKey {
  source: AlertSource;
  event: string;
  entity: Entity;
}

/** What a source says of a problem that lasts. */
export interface Problem extends AlertKey {
  agentId: string | null;
  entityName: string;
  severity: Severity;
  /** One sentence: what is wrong. */
  message: string;
  /** One line: what we know of why; null when nothing. */
  cause: string | null;
  /** What the entity depends on, the nearest first: an endpoint on its container. */
  parents: readonly Entity[];
  /** Of its container, as shown. */
  labels: Readonly<Record<string, string>>;
  /** Names of channels, by label. */
  channels: readonly string[];
  tags: readonly string[];
  details: Readonly<Record<string, unknown>>;
}

/** What ends a problem: health was seen, a user resolved it, the thing was removed, or its time was over. That nothing is seen any more ends none. */
export const RESOLVERS = ["observation", "user", "removal", "expiry"] as const;

/** Why an alert is over, in a sentence. */
export interface Resolution {
  by: (typeof RESOLVERS)[number];
  reason: string;
}

export const SUPPRESSIONS = ["silence", "maintenance", "dependency"] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

export interface Alert extends Problem {
  id: number;
  status: "active" | "resolved";
  firedAt: Date;
  lastRaisedAt: Date;
  resolvedAt: Date | null;
  /** `auto`, or a name. */
  resolvedBy: string | null;
  /** null while it is active, and of those that were over before this was kept. */
  resolution: Resolution | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgedNote: string | null;
  /** Why it is recorded but not sent; null when it is not held back. */
  suppressedBy: Suppression | null;
}

/** Why an alert is evaluated: it fired, its severity was raised, what held it back is over, it resolved. */
export type AlertTransition = "fired" | "raised" | "released" | "resolved";

/** Where an alert goes, and why, in words for a person: `rule 3 of this channel`, `trigger "Nights"`, `label service.alert.channels`. */
export interface Target {
  channelId: number;
  /** Whether it is also notified when the alert resolves. */
  notifyOnResolve: boolean;
  because: string;
}

/** What channels receive. Wire spelling: it is the payload of a webhook channel. */
export interface Notification<Record = unknown> {
  /** `alert.fired` again for the same id when its severity rises and at each escalation level. */
  event: "alert.fired" | "alert.resolved" | "alert.acknowledged" | "test";
  alert: Record;
  escalation: EscalationStep | null;
  timestamp: string;
  /** What people call the host that it is about; absent of the local one. */
  host?: string;
}

/** `level` counts from 0. A closure reports that the run ended (acknowledged or resolved), `exhausted` that nobody reacted. */
export interface EscalationStep {
  run_id: number;
  policy_name: string;
  level: number;
  kind: "level" | "closure" | "exhausted";
}

/** The outcome of one attempt to reach a receiver. The receiver's body is never part of it. */
export interface SendOutcome {
  status: "delivered" | "failed";
  statusCode: number | null;
  durationMs: number;
  /** A sentence without credentials; null when delivered. */
  error: string | null;
  /** What the receiver asked for by Retry-After. */
  retryAfterMs: number | null;
  /** The receiver is no more, and nothing is to be sent to it again. */
  isGone?: true;
}
