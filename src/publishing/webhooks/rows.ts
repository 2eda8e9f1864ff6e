import type { Selectable, Generated } from "kysely";
import { toDate, wireTime } from "../../contract/time.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { WebhookDeliveryRecord, WebhookRecord } from "./answers.ts";
import { type Settings, shownUrl, type State, type Webhook } from "./webhook.ts";

/** The columns of this feature's tables; see storage/migrations/010-deliveries.ts for their meaning. */
export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
}

interface WebhookRow extends SettingsColumns, StateColumns {
  id: Generated<number>;
  created_at: number;
  dropped: number;
}

interface SettingsColumns {
  name: string;
  url: string;
  secret: string;
  event_types: string;
  updated_at: number;
}

interface StateColumns {
  active: number;
  disabled_reason: string | null;
  last_delivery_at: number | null;
  last_status: string | null;
  last_status_code: number | null;
  last_error: string | null;
  failure_count: number;
}

export interface WebhookDeliveryRow extends NewDeliveryRow {
  id: Generated<number>;
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  sent_at: number | null;
}

export interface NewDeliveryRow {
  webhook_id: number;
  event_id: string;
  type: string;
  body: string;
  status: string;
  attempts: number;
  next_attempt_at: number | null;
  created_at: number;
}

export function webhookFromRow(row: Selectable<WebhookRow>): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    secret: row.secret,
    // These columns hold what settingsToRow and stateToRow wrote.
    eventTypes: JSON.parse(row.event_types) as string[],
    active: row.active === 1,
    disabledReason: row.disabled_reason,
    lastDeliveryAt: toDate(row.last_delivery_at),
    lastStatus: row.last_status as State["lastStatus"],
    lastStatusCode: row.last_status_code,
    lastError: row.last_error,
    failureCount: row.failure_count,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

/** The columns with secrets. */
type SecretColumns = Pick<SettingsColumns, "url" | "secret">;

export const WITHOUT_SECRETS: SecretColumns = { url: "", secret: "" };

export function sealedColumns({ url, secret }: Settings, id: number, secrets: StoredSecrets): SecretColumns {
  return {
    url: secrets.seal(url, { table: "webhooks", column: "url", id }),
    secret: secrets.seal(secret, { table: "webhooks", column: "secret", id }),
  };
}

export function openRow(row: Selectable<WebhookRow>, secrets: StoredSecrets): Selectable<WebhookRow> {
  return {
    ...row,
    url: secrets.open(row.url, { table: "webhooks", column: "url", id: row.id }),
    secret: secrets.open(row.secret, { table: "webhooks", column: "secret", id: row.id }),
  };
}

/** The columns of the settings but for those with secrets. */
export function settingsToRow({ name, eventTypes, updatedAt }: Settings): Omit<SettingsColumns, keyof SecretColumns> {
  return { name, event_types: JSON.stringify(eventTypes), updated_at: updatedAt.getTime() };
}

export function stateToRow(state: State): StateColumns {
  return {
    active: state.active ? 1 : 0,
    disabled_reason: state.disabledReason,
    last_delivery_at: state.lastDeliveryAt?.getTime() ?? null,
    last_status: state.lastStatus,
    last_status_code: state.lastStatusCode,
    last_error: state.lastError,
    failure_count: state.failureCount,
  };
}

/** The numbers of a subscription that are counted in the database. */
export interface Counts {
  pending: number;
  dropped: number;
}

export function webhookRecord(webhook: Webhook, { pending, dropped }: Counts): WebhookRecord {
  return {
    id: webhook.id,
    name: webhook.name,
    url: shownUrl(webhook.url),
    event_types: [...webhook.eventTypes],
    active: webhook.active,
    disabled_reason: webhook.disabledReason,
    last_delivery_at: wireTime(webhook.lastDeliveryAt),
    last_status: webhook.lastStatus,
    last_status_code: webhook.lastStatusCode,
    last_error: webhook.lastError,
    failure_count: webhook.failureCount,
    pending,
    dropped,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

export function deliveryRecord(row: Omit<Selectable<WebhookDeliveryRow>, "body">): WebhookDeliveryRecord {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type: row.type,
    // Only these are written.
    status: row.status as WebhookDeliveryRecord["status"],
    attempts: row.attempts,
    next_attempt_at: wireTime(toDate(row.next_attempt_at)),
    last_attempt_at: wireTime(toDate(row.last_attempt_at)),
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    sent_at: wireTime(toDate(row.sent_at)),
    created_at: new Date(row.created_at).toISOString(),
  };
}
