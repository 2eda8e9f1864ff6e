import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import { deleteWebhook, testWebhook, updateWebhook } from "../../../api/webhooks.ts";
import { Age } from "../../../ui/age.tsx";
import { Button } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { Name } from "../../../ui/name.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { RowActions } from "../row-actions.tsx";
import { TestAnswer, TestButton } from "../test-result.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { eventsSummary } from "./event-options.ts";
import { healthOf, queueWords } from "./health-words.ts";

/** One subscription: where, what, how it goes. */
export function WebhookRow({ webhook, onEdit }: { webhook: WebhookRecord; onEdit: () => void }) {
  const { id, name, url, active, event_types, last_delivery_at, last_error, disabled_reason } = webhook;
  const { status, word } = healthOf(webhook);
  const queue = queueWords(webhook);
  const test = useMutation({ mutationFn: () => testWebhook(id) });
  const [showsDeliveries, setShowsDeliveries] = useState(false);
  return (
    <li className="border-b border-line py-2.5 md:px-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-[550] wrap-anywhere">
              <bdi>{name}</bdi>
            </span>
            <Changed value={word} className="inline-flex items-center gap-2">
              <StatusIcon status={status} size={10} />
              {word}
            </Changed>
            {last_delivery_at !== null && (
              <span className="text-sm text-ink-2">
                last attempt <Age at={last_delivery_at} form="ago" />
              </span>
            )}
          </p>
          <Name className="mt-0.5 text-ink-2">{url}</Name>
          <p className="mt-0.5 text-sm wrap-anywhere text-ink-2">{eventsSummary(event_types)}</p>
          {[disabled_reason, last_error, queue].map(
            (sentence) =>
              sentence !== null &&
              sentence !== "" && (
                <p key={sentence} dir="auto" className="mt-0.5 max-w-[110ch] text-sm wrap-anywhere">
                  {sentence}
                </p>
              ),
          )}
        </div>
        <RowActions
          name={name}
          isEnabled={active}
          noun="webhook"
          queryKey={["webhooks"]}
          onToggle={(next) => updateWebhook(id, { active: next })}
          onEdit={onEdit}
          onDelete={() => deleteWebhook(id)}
          loss="No more events are sent, including queued ones."
        >
          <TestButton test={test} of={name} label="Test" />
          <Button aria-expanded={showsDeliveries} onClick={() => setShowsDeliveries(!showsDeliveries)}>
            Deliveries<span className="sr-only"> of {name}</span>
          </Button>
        </RowActions>
      </div>
      <TestAnswer test={test} />
      {showsDeliveries && <DeliveryList webhook={webhook} />}
    </li>
  );
}
