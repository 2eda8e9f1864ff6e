import type { Kysely } from "kysely";
import type { AlertNotification, AlertRecord } from "../alerts/api.ts";
import type { Alert, Target } from "../vocabulary.ts";

/** What escalation needs from the channels. */
export interface Channels {
  get(id: number): { name: string; enabled: boolean } | undefined;
  /** Registers who is asked before a channel is deleted; it answers its uses in words. */
  useBy(users: (channelId: number) => string[]): void;
}

/** What escalation needs from the deliveries. */
export interface Outbox {
  /** Writes a message to each target in the caller's unit. */
  put<Schema>(
    tx: Kysely<Schema>,
    order: {
      notification: AlertNotification;
      alertId: number;
      targets: readonly Target[];
      escalation: { runId: number; level: number } | null;
      at: Date;
    },
  ): Promise<readonly { id: number; channelId: number }[]>;
  wake(): void;
  /** The channels that are notified of the end in the ordinary way. */
  notified(alertId: number): Promise<readonly number[]>;
  of(alertId: number): Promise<readonly DeliveryOutcome[]>;
  onSettled(
    listener: (settled: {
      id: number;
      escalation: { runId: number; level: number } | null;
      status: "sent" | "failed";
      error: string | null;
      at: Date;
    }) => void,
  ): void;
}

/** What escalation reads of a delivery's record. */
export interface DeliveryOutcome {
  id: number;
  status: "pending" | "sent" | "failed";
  last_error: string | null;
  sent_at: string | null;
}

/** What escalation needs from silences and maintenance. */
export interface Suppression {
  maintaining(alert: Alert, now: Date): { until: Date } | undefined;
  silencing(alert: Alert, now: Date): { until: Date } | undefined;
  onChange(listener: () => void): void;
}

/** What escalation needs from the alerts. */
export interface Alerts {
  get(id: number): Promise<Alert | undefined>;
  record(alert: Alert): AlertRecord;
  /** False after a start, until it is known which alerts have ended meanwhile. */
  isSettled(): boolean;
}
