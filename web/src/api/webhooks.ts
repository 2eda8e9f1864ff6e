import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CreateBody, UpdateBody } from "../../../src/publishing/webhooks/api.ts";
import type { CreatedWebhook, WebhookRecord, WebhookTest } from "../../../src/publishing/webhooks/answers.ts";
import { request } from "./client.ts";

/** How many deliveries are read at a time. */
const PAGE = 20;

/** All webhook subscriptions. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => request("GET /api/v1/webhooks", { signal }),
  // No event reports each delivery.
  staleTime: 10_000,
});

/** What was sent to one and what waits, newest first, page by page. */
export function webhookDeliveriesQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["webhooks", id, "deliveries"],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/webhooks/{id}/deliveries", { params: { id }, signal, query: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    staleTime: 5000,
  });
}

/** Only this answer has the secret. */
export function createWebhook(body: CreateBody): Promise<CreatedWebhook> {
  return request("POST /api/v1/webhooks", { body });
}

/** What is left out stays as it is. */
export function updateWebhook(id: number, body: UpdateBody): Promise<WebhookRecord> {
  return request("PUT /api/v1/webhooks/{id}", { params: { id }, body });
}

export function deleteWebhook(id: number): Promise<void> {
  return request("DELETE /api/v1/webhooks/{id}", { params: { id } });
}

/** Sends a test now, and returns what its receiver answered. */
export function testWebhook(id: number): Promise<WebhookTest> {
  return request("POST /api/v1/webhooks/{id}/test", { params: { id } });
}
