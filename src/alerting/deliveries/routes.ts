import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { DeliveryService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/deliveries", tag: "Alerts", access: "admin" } as const;

export function deliveryRoutes(service: DeliveryService): Route[] {
  return [
    route({
      ...all,
      method: "GET",
      summary: "Deliveries of notifications to channels, newest first",
      query: taken("listQuery"),
      responses: { 200: answer("deliveryList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...all,
      path: `${all.path}/{id}/replay`,
      method: "POST",
      summary: "Send a notification again",
      params: taken("deliveryParams"),
      errors: ["conflict"],
      responses: { 202: answer("delivery") },
      handle: async ({ params }) => new Answer(202, await service.replay(params.id)),
    }),
  ];
}
