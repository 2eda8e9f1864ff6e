import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../storage/database.ts";
import type { GroupOf } from "../scope.ts";
import type { Alert, RoutingDecision } from "../vocabulary.ts";
import { triggerRoutes } from "./routes.ts";
import { decideRouting, type RoutedChannel } from "./routing.ts";
import { createTriggerService } from "./service.ts";
import { createTriggerStore } from "./store.ts";

/** What routing needs from the channels. */
export interface RoutedChannels {
  all(): readonly RoutedChannel[];
  get(id: number): RoutedChannel | undefined;
  /** Registers who is asked before a channel is deleted. */
  useBy(users: (channelId: number) => string[]): void;
}

export interface RoutingDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  channels: RoutedChannels;
  /** Alerts that fired since then, for simulations. */
  history: { since(from: Date): AsyncIterable<Alert> };
  groupOf: GroupOf;
}

/** Routes alerts: by the rules of channels, by triggers, and by the labels of containers. */
export interface Routing {
  routes: Route[];
  start(): Promise<void>;
  route(alert: Alert): RoutingDecision;
}

export function createRouting({ database, bus, clock, channels, history, groupOf }: RoutingDependencies): Routing {
  const service = createTriggerService({
    store: createTriggerStore(database),
    bus,
    clock,
    channel: (id) => channels.get(id),
    history,
    groupOf,
  });
  channels.useBy((channelId) =>
    service
      .all()
      .filter(({ channelIds }) => channelIds.includes(channelId))
      .map(({ name }) => `alert trigger "${name}"`),
  );
  return {
    routes: triggerRoutes(service),
    start: () => service.load(),
    route: (alert) => decideRouting(alert, { channels: channels.all(), triggers: service.all(), groupOf }),
  };
}
