import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mailer.ts";
import type { Outbound } from "../../platform/outbound.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { AlertNotification } from "../alerts/api.ts";
import type { SendOutcome } from "../vocabulary.ts";
import type { Channel, Register, SavedChannel } from "./channel.ts";
import { KINDS } from "./kinds/kinds.ts";
import { createVapid } from "./push/index.ts";
import { channelRoutes } from "./routes.ts";
import { createHealth, createSend, failed, type SendOptions } from "./sending.ts";
import { createChannelService } from "./service.ts";
import { createChannelStore } from "./store.ts";

export type { Channel } from "./channel.ts";

export interface ChannelsDependencies {
  database: Database;
  secrets: StoredSecrets;
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
  outbound: Outbound;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** Throws EDITION_REQUIRED when the present edition does not grant the capability. */
  requireCapability(capability: string): void;
  /** The public origin, for the link of a test message. */
  baseUrl: string;
}

/** Where alerts are sent. */
export interface Channels {
  routes: Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  all(): readonly Channel[];
  get(id: number): Channel | undefined;
  /** One attempt of at most 10 s. Never throws: a failing receiver and a deleted or disabled channel are failed outcomes. */
  send(channelId: number, notification: AlertNotification, options: SendOptions): Promise<SendOutcome>;
  /** Updates the health of the channel and the time of its last delivery. */
  noteOutcome(channelId: number, outcome: SendOutcome, at: Date): void;
  /** Registers who is asked before a channel is deleted. Each names its uses, such as `escalation policy "Nights"`; any use prevents the deletion. */
  useBy(users: (channelId: number) => string[]): void;
}

export function createChannels({
  database,
  secrets,
  bus,
  clock,
  log,
  outbound,
  mailer,
  requireCapability,
  baseUrl,
}: ChannelsDependencies): Channels {
  const store = createChannelStore(database, secrets);
  const register: Register = new Map();
  const health = createHealth({ store, register, bus, log });
  const vapid = createVapid({ database, secrets, clock, baseUrl });
  const attempt = createSend({ outbound, mailer, vapid, clock, log });
  const users: ((channelId: number) => string[])[] = [];
  const usersOf = (id: number): string[] => users.flatMap((ask) => ask(id));
  const serial = createSerial();
  const service = createChannelService({
    store,
    register,
    health,
    outbound,
    send: attempt,
    requireCapability,
    usersOf,
    serial,
    bus,
    clock,
    baseUrl,
  });
  /** Resolves when channels whose receivers are gone have been disabled. */
  let disabling = Promise.resolve();

  return {
    routes: channelRoutes(service, vapid),
    async start() {
      for (const channel of await store.load()) register.set(channel.id, channel);
    },
    async stop() {
      await disabling;
      await health.settle();
    },
    all: () => [...register.values()].map(withoutSecrets),
    get(id) {
      const channel = register.get(id);
      return channel === undefined ? undefined : withoutSecrets(channel);
    },
    async send(channelId, notification, options) {
      const channel = register.get(channelId);
      if (channel === undefined) return failed("The channel was deleted.");
      if (!channel.enabled) return failed("The channel is disabled.");
      const { capability } = KINDS[channel.type];
      try {
        if (capability !== null) requireCapability(capability);
      } catch (error) {
        if (!isServiceError(error, "EDITION_REQUIRED")) throw error;
        return failed(error.message);
      }
      return attempt(channel, notification, options);
    },
    noteOutcome(channelId, outcome, at) {
      health.note(channelId, outcome, at);
      if (outcome.isGone !== true) return;
      disabling = Promise.all([disabling, service.disable(channelId)]).then(
        () => undefined,
        // It is tried again with the next delivery.
        (error: unknown) => log.warn({ channel_id: channelId, reason: messageOf(error) }, "channel of a browser that is gone not disabled"),
      );
    },
    useBy: (ask) => void users.push(ask),
  };
}

/** Other parts do not need secrets, so they cannot leak them. */
function withoutSecrets({ id, name, type, enabled, rules, updatedAt }: SavedChannel): Channel {
  return { id, name, type, enabled, rules, updatedAt };
}
