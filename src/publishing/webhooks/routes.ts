import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { WebhookService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/webhooks", tag: "Webhooks", access: "admin" } as const;

export function webhookRoutes(service: WebhookService): Route[] {
  const one = { ...all, path: "/api/v1/webhooks/{id}", params: taken("webhookParams") };
  return [
    route({
      ...all,
      method: "GET",
      summary: "List webhook subscriptions",
      responses: { 200: answer("webhookList") },
      handle: () => service.list(),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Subscribe an address to events; the answer alone shows the secret that signs them",
      body: taken("createBody"),
      errors: ["https_required", "private_address_refused", "conflict"],
      responses: { 201: answer("createdWebhook") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One webhook subscription",
      responses: { 200: answer("webhook") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change a webhook subscription; what is left out stays as it is",
      body: taken("updateBody"),
      errors: ["https_required", "private_address_refused"],
      responses: { 200: answer("webhook") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "End a webhook subscription; what still waits for it is not sent",
      responses: { 204: answer("webhook") },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/test`,
      method: "POST",
      summary: "Send a test payload now",
      // An attempt may take as long as a request may.
      stream: true,
      responses: { 200: answer("webhookTest") },
      handle: ({ params, signal }) => service.test(params.id, signal),
    }),
    route({
      ...one,
      path: `${one.path}/deliveries`,
      method: "GET",
      summary: "What was sent to it and what waits, newest first; the last 1,000 of 7 days",
      query: taken("deliveriesQuery"),
      responses: { 200: answer("webhookDeliveryList") },
      handle: ({ params, query }) => service.deliveries(params.id, query),
    }),
  ];
}
