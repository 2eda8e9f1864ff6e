import { createChannels, type Channels, type ChannelsDependencies } from "../../src/alerting/channels/index.ts";
import type { Event } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createOutbound, type OutboundOptions } from "../../src/platform/outbound.ts";
import type { Database } from "../../src/storage/database.ts";
import { type DeclaredRoutes, declaredRoutes } from "./declared-routes.ts";
import { createTestServer } from "./http-server.ts";
import { testSecrets } from "./secrets.ts";

export interface OpenChannels {
  channels: Channels;
  routes: DeclaredRoutes;
  events: Event[];
  stop(): Promise<void>;
}

export interface OpenChannelsOptions extends Partial<Omit<ChannelsDependencies, "database" | "outbound">> {
  outbound?: Partial<OutboundOptions>;
}

/** The channels as after a start of the program, and their routes; receivers on loopback are allowed by default. */
export async function openChannels(database: Database, { outbound: options, ...changes }: OpenChannelsOptions = {}): Promise<OpenChannels> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock, ...options });
  const channels = createChannels({
    database,
    secrets: testSecrets,
    bus,
    clock: systemClock,
    log: silentLog,
    outbound,
    mailer: undefined,
    requireCapability: () => undefined,
    baseUrl: "https://monitor.example",
    ...changes,
  });
  await channels.start();
  const server = createTestServer({ routes: channels.routes });
  return {
    channels,
    routes: declaredRoutes(server, channels.routes),
    events,
    async stop() {
      await server.stop();
      await channels.stop();
      outbound.stop();
    },
  };
}
