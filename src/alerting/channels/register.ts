import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { WorkQueue } from "../../platform/queues.ts";
import { nameKey, type SendOutcome } from "../vocabulary.ts";
import { type SavedChannel, stateAfter } from "./channel.ts";
import { channelData } from "./settings.ts";
import type { ChannelStore } from "./store.ts";

/** All channels in memory. A saved change is put here afterwards. */
export interface Register {
  all(): readonly SavedChannel[];
  get(id: number): SavedChannel | undefined;
  /** In any case. */
  byName(name: string): SavedChannel | undefined;
  put(channel: SavedChannel): void;
  remove(id: number): void;
}

export function createRegister(): Register {
  const channels = new Map<number, SavedChannel>();
  const ids = new Map<string, number>();

  function remove(id: number): void {
    const channel = channels.get(id);
    if (channel !== undefined) ids.delete(nameKey(channel.name));
    channels.delete(id);
  }

  return {
    all: () => [...channels.values()],
    get: (id) => channels.get(id),
    byName: (name) => channels.get(ids.get(nameKey(name)) ?? 0),
    put(channel) {
      const before = channels.get(channel.id);
      if (before !== undefined) ids.delete(nameKey(before.name));
      channels.set(channel.id, channel);
      ids.set(nameKey(channel.name), channel.id);
    },
    remove,
  };
}

/** Tracks the outcomes of deliveries: visible at once, saved soon after, in batches. */
export interface Health {
  note(channelId: number, outcome: SendOutcome, at: Date): void;
  /** Waits until everything noted is saved, or failed to be saved. */
  settle(): Promise<void>;
}

interface HealthDependencies {
  store: ChannelStore;
  register: Register;
  bus: Bus<Event>;
  log: Log;
}

export function createHealth({ store, register, bus, log }: HealthDependencies): Health {
  const unsaved = new Set<number>();
  const saves = new WorkQueue(save);

  async function save(): Promise<void> {
    if (unsaved.size === 0) return;
    const ids = [...unsaved];
    unsaved.clear();
    try {
      await store.saveStates(ids.flatMap((id) => register.get(id) ?? []));
    } catch (error) {
      // Saved with the next outcome; the delivery itself is kept elsewhere.
      for (const id of ids) unsaved.add(id);
      log.debug({ reason: messageOf(error) }, "health of channels not saved");
    }
  }

  return {
    note(channelId, outcome, at) {
      const channel = register.get(channelId);
      if (channel === undefined) return;
      const next = { ...channel, ...stateAfter(channel, outcome, at) };
      register.put(next);
      unsaved.add(channelId);
      void saves.ask();
      if (next.health !== channel.health) bus.publish({ type: "channel.updated", data: { ...channelData(next, at), change: "health" } });
    },
    // What could not be saved before may be saved now.
    settle: () => saves.ask(),
  };
}
