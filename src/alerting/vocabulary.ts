/** What the parts of alerting share. Source: specification, Alert; contract, section 6. */

import type { AlertSource, Severity } from "../contract/alert.ts";

export { ALERT_SOURCES, type AlertSource, SEVERITIES, type Severity } from "../contract/alert.ts";

/** A monitored thing, such as `container` and `42`, or `agent` and a UUID. */
export interface Entity {
  type: string;
  id: string;
}

/** The key of a problem: at most one active alert has it. */
export interface AlertKey {
  source: AlertSource;
  event: string;
  entity: Entity;
}

/** A lasting problem, as its source reports it. */
export interface Problem extends AlertKey {
  agentId: string | null;
  entityName: string;
  severity: Severity;
  /** One sentence: what is wrong. */
  message: string;
  /** The known cause in one line; null when there is none. */
  cause: string | null;
  /** What the entity depends on, nearest first: an endpoint depends on its container. */
  parents: readonly Entity[];
  /** The labels of its container, as shown. */
  labels: Readonly<Record<string, string>>;
  /** Channel names from its label. */
  channels: readonly string[];
  tags: readonly string[];
  details: Readonly<Record<string, unknown>>;
}

/**
 * What may end a problem: health was observed, a user resolved it, the thing was removed, or its time was over. Seeing nothing of it ends no problem.
 */
export const RESOLVERS = ["observation", "user", "removal", "expiry"] as const;

/** Why an alert was resolved, in a sentence. */
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
  /** null while the alert is active, and for alerts that were resolved before this field existed. */
  resolution: Resolution | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgedNote: string | null;
  /** Why it is recorded but not sent; null when it is not suppressed. */
  suppressedBy: Suppression | null;
}

/** Why an alert is evaluated: it fired, its severity was raised, what held it back is over, it resolved. */
export type AlertTransition = "fired" | "raised" | "released" | "resolved";

/** A channel of an alert and why it was chosen, in words: `rule 3 of this channel`, `trigger "Nights"`, `label service.alert.channels`. */
export interface Target {
  channelId: number;
  /** Whether it is also notified when the alert resolves. */
  notifyOnResolve: boolean;
  because: string;
}

/** The form in which names of channels are compared: container labels may write `Ops` as `ops`. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Where an alert goes, with the names of channels that do not get it. */
export interface RoutingDecision {
  /** Each channel once. */
  targets: Target[];
  /** Of disabled channels to which it would be sent. */
  disabled: string[];
  /** In the alert's label, of no channel; each once. */
  unknown: string[];
}

/** What channels receive, in the JSON form that a webhook channel sends. */
export interface Notification<Record = unknown> {
  /** `alert.fired` is repeated for an id when its severity rises, and at each escalation level. */
  event: "alert.fired" | "alert.resolved" | "alert.acknowledged" | "test";
  alert: Record;
  escalation: EscalationStep | null;
  timestamp: string;
  /** The display name of the host that it is about; absent for the local host. */
  host?: string;
}

/** `level` counts from 0. A closure reports that the run ended (acknowledged or resolved), `exhausted` that nobody reacted. */
export interface EscalationStep {
  run_id: number;
  policy_name: string;
  level: number;
  kind: "level" | "closure" | "exhausted";
}

/** The outcome of one attempt to reach a receiver. It never contains the receiver's body. */
export interface SendOutcome {
  status: "delivered" | "failed";
  statusCode: number | null;
  durationMs: number;
  /** A sentence without credentials. Null when delivered, unless a part of the recipients was refused for good. */
  error: string | null;
  /** What the receiver asked for by Retry-After. */
  retryAfterMs: number | null;
  /** The receiver no longer exists: nothing is to be sent to it again. */
  isGone?: true;
}
