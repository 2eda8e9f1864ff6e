/**
 * A program that raises and clears alerts without end, and notifies two channels of them, one of which fails now and then, until it is killed. Its parent
 * gives its orders; it prints on standard output, line by line, what is saved: `raised NUMBER`, `cleared NUMBER`, and `settled DELIVERY STATUS`.
 */
import { flushCompileCache } from "node:module";
import { silentLog } from "../../src/platform/log.ts";
import { numberedKey, numberedProblem, openAlerting } from "./alerting.ts";
import { createChance } from "./chance.ts";
import { openPlace, type Place } from "./place.ts";
import { say } from "./say.ts";

export interface DeliveryOrders {
  place: Place;
  /** The first number that was not used yet. */
  first: number;
  /** A new one makes the channels. */
  channels: readonly { name: string; url: string }[];
  /** What subscribes to alerts, in place of channels; a new one is made. */
  subscriptions?: readonly { name: string; url: string }[];
  /** Of the chance that it draws from. */
  seed: number;
}

/** How long a channel stays a dead program's, where several share a database. */
const LEASE_MS = 200;
const AT_ONCE = 20;

if (process.send !== undefined) {
  process.once("message", (orders: DeliveryOrders) => void live(orders));
  process.once("disconnect", () => process.exit());
  // A killed process writes no compile cache, and all of these are killed.
  flushCompileCache();
  process.send("ready");
}

async function live({ place, first, channels, subscriptions, seed }: DeliveryOrders): Promise<void> {
  const chance = createChance(seed);
  const database = openPlace(place);
  await database.start();
  const subscribes = subscriptions !== undefined;
  const { alerts, outbox, addChannel, addSubscription } = await openAlerting(database, silentLog, { leaseMs: LEASE_MS, subscribes });
  outbox.onSettled(({ id, status }) => say(`settled ${id} ${status}`));
  for (const { name, url } of channels) await addChannel(name, url);
  for (const { name, url } of subscriptions ?? []) await addSubscription(name, url);
  say("ready");
  for (let number = first; ; number += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => number + index);
    await Promise.all(
      numbers.map(async (each) => {
        await alerts.raise(numberedProblem(each));
        say(`raised ${each}`);
        // Some end at once, some only after they were delivered, some never.
        if (chance.below(4) === 0) return;
        await new Promise((resolve) => setTimeout(resolve, chance.below(30)));
        await alerts.clear(numberedKey(each), "it is over");
        say(`cleared ${each}`);
      }),
    );
  }
}
