import type { Event } from "../../events.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";
import { openEventStream } from "../../http/sse.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createHub, createFilter } from "./hub.ts";

const taken = schemasOf(() => import("./api.ts"));

export interface Live {
  readonly routes: readonly Route[];
  /** The id of the newest event, after which a stream can be resumed. */
  newestId(): string;
  /** Begins to pass events on. */
  start(): void;
  stop(): void;
}

/** The stream of events that the web app and other programs follow. Source: specification, Events; contract, section 16. */
export function createLive({ bus, clock, log, version }: { bus: Bus<Event>; clock: Clock; log: Log; version: string }): Live {
  const hub = createHub({ clock, log, version });
  let unsubscribe: (() => void) | undefined;
  return {
    newestId: hub.newestId,
    routes: [
      route({
        method: "GET",
        path: "/api/v1/containers/events",
        summary: "All events as they happen, as server-sent events; resumed after Last-Event-ID",
        tag: "Events",
        access: "admin",
        stream: true,
        query: taken("eventsQuery"),
        responses: { 200: "text/event-stream" },
        handle({ query, headers }) {
          const filter = createFilter(query);
          const header = headers["last-event-id"];
          const lastEventId = typeof header === "string" && header !== "" ? header : query.last_event_id;
          return openEventStream((stream) => hub.feed(stream, filter, lastEventId), {
            farewell: { event: "resync", data: { reason: "too_slow" } },
          });
        },
      }),
    ],
    start() {
      unsubscribe ??= bus.subscribe("live", hub.publish);
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };
}
