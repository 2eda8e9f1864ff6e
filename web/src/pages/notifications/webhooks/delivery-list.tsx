import { useInfiniteQuery } from "@tanstack/react-query";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { WebhookDeliveryRecord, WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import { webhookDeliveriesQuery } from "../../../api/webhooks.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { deliveryStatus } from "./health-words.ts";

/** What was sent to a subscription and what waits, newest first. */
export function DeliveryList({ webhook }: { webhook: WebhookRecord }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(webhookDeliveriesQuery(webhook.id));
  if (data === undefined)
    return error === null ? (
      <SkeletonRows count={3} label="Loading deliveries" />
    ) : (
      <ErrorNote what="Could not load deliveries." error={error} onRetry={() => void refetch()} />
    );
  const deliveries = data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0)
    return <p className="py-2 text-sm text-ink-2">No deliveries in the last {KEPT_DAYS.webhookDeliveries} days. Tests are not listed.</p>;
  return (
    <div className="mt-2">
      <ul aria-label={`Deliveries of ${webhook.name}`} className="text-sm">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-2" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading older deliveries" : "Show older deliveries"}
        </Button>
      )}
    </div>
  );
}

function Delivery({ delivery }: { delivery: WebhookDeliveryRecord }) {
  const { status, word } = deliveryStatus(delivery);
  return (
    <li className="border-t border-line py-1.5">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <span className="w-28 text-ink-2">
          <Timestamp at={delivery.created_at} />
        </span>
        <span className="min-w-44">{delivery.type}</span>
        <span className="inline-flex items-center gap-2">
          <StatusIcon status={status} size={10} />
          {word}
        </span>
      </p>
      {delivery.last_error !== null && (
        <p dir="auto" className="max-w-[110ch] wrap-anywhere text-ink-2">
          {delivery.last_error}
        </p>
      )}
    </li>
  );
}
