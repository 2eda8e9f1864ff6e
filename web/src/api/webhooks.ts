import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  CreateBody,
  CreatedWebhook,
  UpdateBody,
  WebhookDeliveryList,
  WebhookList,
  WebhookRecord,
  WebhookTest,
} from "../../../src/publishing/webhooks/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";

const WEBHOOKS = "/api/v1/webhooks";
/** How many deliveries are read at a time. */
const PAGE = 20;

/** All webhook subscriptions. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => getJson<WebhookList>(WEBHOOKS, { signal }),
  // No event tells of each delivery.
  staleTime: 10_000,
});

/** What was sent to one and what waits, newest first, page by page. */
export function webhookDeliveriesQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["webhooks", id, "deliveries"],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<WebhookDeliveryList>(`${WEBHOOKS}/${id}/deliveries`, { signal, parameters: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    staleTime: 5000,
  });
}

/** The answer alone tells the secret. */
export function createWebhook(body: CreateBody): Promise<CreatedWebhook> {
  return postJson<CreatedWebhook>(WEBHOOKS, body);
}

/** What is left out stays as it is. */
export function updateWebhook(id: number, body: UpdateBody): Promise<WebhookRecord> {
  return putJson<WebhookRecord>(`${WEBHOOKS}/${id}`, body);
}

export function deleteWebhook(id: number): Promise<void> {
  return deleteJson(`${WEBHOOKS}/${id}`);
}

/** Sends a test now, and answers what its receiver said. */
export function testWebhook(id: number): Promise<WebhookTest> {
  return postJson<WebhookTest>(`${WEBHOOKS}/${id}/test`);
}
