import type { Route } from "../../http/route.ts";
import type { Database } from "../../storage/database.ts";
import type { Alert, RoutingDecision } from "../vocabulary.ts";
import { triggerRoutes } from "./routes.ts";
import { createTriggerService, type TriggerServiceDependencies } from "./service.ts";
import { createTriggerStore } from "./store.ts";

/** What routing needs from the channels. */
export type RoutedChannels = TriggerServiceDependencies["channels"] & {
  /** Registers who is asked before a channel is deleted. */
  useBy(users: (channelId: number) => string[]): void;
};

export interface RoutingDependencies extends Omit<TriggerServiceDependencies, "store"> {
  database: Database;
  channels: RoutedChannels;
}

/** Routes alerts: by the rules of channels, by triggers, and by the labels of containers. */
export interface Routing {
  routes: Route[];
  start(): Promise<void>;
  route(alert: Alert): RoutingDecision;
}

export function createRouting({ database, ...parts }: RoutingDependencies): Routing {
  const service = createTriggerService({ ...parts, store: createTriggerStore(database) });
  parts.channels.useBy(service.usersOf);
  return { routes: triggerRoutes(service), start: service.load, route: service.route };
}
