import type { AlertRecord } from "../alerts/api.ts";
import type { Outbox as Deliveries } from "../deliveries/index.ts";
import type { Alert } from "../vocabulary.ts";

/** What escalation needs from the channels. */
export interface Channels {
  get(id: number): { name: string; enabled: boolean } | undefined;
  /** Registers who is asked before a channel is deleted; it answers its uses in words. */
  useBy(users: (channelId: number) => string[]): void;
}

/** What escalation needs from the deliveries. */
export type Outbox = Pick<Deliveries, "put" | "wake" | "notified" | "outcomes" | "onSettled">;

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
