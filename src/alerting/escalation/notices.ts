import type { Alert, Notification, Target } from "../vocabulary.ts";
import type { DeliveryKind } from "./answers.ts";
import type { RunDelivery } from "./rows.ts";
import type { Run } from "./run.ts";
import type { RunStore, Tx } from "./store.ts";
import type { Alerts, Channels, Outbox } from "./seams.ts";

/** A message of a run to some channels. */
export interface Notice {
  run: Run;
  alert: Alert;
  event: Notification["event"];
  kind: DeliveryKind;
  levelIndex: number;
  channelIds: readonly number[];
  now: Date;
}

/** Notifications of runs, written in the caller's unit: they are sent if and only if what they report is saved. */
export interface Notices {
  send(tx: Tx, notice: Notice): Promise<void>;
  /**
   * Notifies the channels of these runs of one alert that it was acknowledged or resolved; each channel once, however many runs notified it. Channels
   * that are notified of the end in the ordinary way are left out.
   */
  close(tx: Tx, runs: readonly Run[], alert: Alert, { how, now }: { how: "acknowledged" | "resolved"; now: Date }): Promise<void>;
}

export function createNotices({
  store,
  outbox,
  channels,
  alerts,
}: {
  store: RunStore;
  outbox: Outbox;
  channels: Channels;
  alerts: Alerts;
}): Notices {
  async function send(tx: Tx, notice: Notice): Promise<void> {
    const { run, alert, event, kind, levelIndex, channelIds, now } = notice;
    const refusals = new Map(channelIds.map((id) => [id, refusalOf(channels.get(id))]));
    const because = `escalation policy "${run.plan.name}", ${kind === "level" ? `level ${levelIndex + 1}` : WORDS[kind]}`;
    const targets = channelIds
      .filter((id) => refusals.get(id) === undefined)
      .map((channelId): Target => ({ channelId, notifyOnResolve: false, because }));
    const escalation = { run_id: run.id, policy_name: run.plan.name, level: levelIndex, kind };
    const order = {
      notification: { event, alert: alerts.record(alert), escalation, timestamp: now.toISOString() },
      alertId: alert.id,
      targets,
      escalation: { runId: run.id, level: levelIndex },
      at: now,
    };
    const accepted = new Map((await outbox.put(tx, order)).map(({ id, channelId }) => [channelId, id]));
    const shared = { runId: run.id, levelIndex, kind, event, createdAt: now };
    const deliveries = channelIds.map((channelId): RunDelivery => {
      const deliveryId = accepted.get(channelId);
      if (deliveryId !== undefined) return { ...shared, channelId, deliveryId, status: "pending", error: null, settledAt: null };
      return { ...shared, channelId, deliveryId: null, status: "failed", error: refusals.get(channelId) ?? GONE, settledAt: now };
    });
    await store.addDeliveries(tx, deliveries);
  }

  return {
    send,
    async close(tx, runs, alert, { how, now }) {
      const event = how === "resolved" ? "alert.resolved" : "alert.acknowledged";
      let notifiedChannels: Set<number> | undefined;
      for (const run of runs) {
        const deliveries = await store.deliveriesIn(tx, run.id);
        const notified = deliveries.filter(({ kind, status }) => kind !== "closure" && status !== "failed");
        if (notified.length === 0) continue;
        notifiedChannels ??= new Set(how === "resolved" ? await outbox.notified(alert.id) : []);
        for (const closure of deliveries) if (closure.event === event) notifiedChannels.add(closure.channelId);
        const channelIds = [...new Set(notified.map(({ channelId }) => channelId))].filter((id) => notifiedChannels?.has(id) === false);
        if (channelIds.length === 0) continue;
        for (const id of channelIds) notifiedChannels.add(id);
        await send(tx, { run, alert, event, kind: "closure", levelIndex: Math.max(run.levelIndex - 1, 0), channelIds, now });
      }
    },
  };
}

const WORDS = { closure: "closure", exhausted: "nobody reacted" } as const;
const GONE = "The channel was deleted.";

function refusalOf(channel: { enabled: boolean } | undefined): string | undefined {
  if (channel === undefined) return GONE;
  return channel.enabled ? undefined : "The channel is disabled.";
}
