import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../../../../src/alerting/deliveries/answers.ts";
import { alertCaseQuery, alertTraceQuery, replayDelivery } from "../../../api/alert-queries.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { attemptWords, deliveryStatus, eventWords } from "./delivery-words.ts";
import { isUnrouted } from "./trace-words.ts";
import { useChannelName } from "../../../entities/alerts/use-channel-name.ts";

/** Who was notified, how each message went, and a way to send it once more. */
export function DeliveriesSection({ alert }: { alert: ShownAlert }) {
  const { data: trace, error, refetch } = useQuery(alertTraceQuery(alert.id));
  return (
    <Section title="Who was notified">
      {trace === undefined && error === null && <SkeletonRows count={2} label="Loading notifications" />}
      {trace === undefined && error !== null && (
        <ErrorNote what="Could not load notifications." error={error} onRetry={() => void refetch()}>
          It is kept.
        </ErrorNote>
      )}
      {trace !== undefined && (
        <>
          <p dir="auto" className="max-w-[90ch] py-2.5 wrap-anywhere">
            {withLocalTimes(trace.summary)}
            {isUnrouted(trace) && (
              <>
                {" "}
                Configure routing under{" "}
                <Link to="/notifications" className="text-accent underline underline-offset-2">
                  Notifications
                </Link>
                .
              </>
            )}
          </p>
          <NextEscalation alert={alert} />
          {trace.deliveries.length > 0 && (
            <ul aria-label="Deliveries" className="border-t border-line">
              {trace.deliveries
                .toSorted((one, other) => other.id - one.id)
                .map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
            </ul>
          )}
        </>
      )}
    </Section>
  );
}

/** Who is notified next, and when, unless somebody acknowledges. */
function NextEscalation({ alert }: { alert: ShownAlert }) {
  const { data } = useQuery(alertCaseQuery(alert.id));
  if (data === undefined || data.next_escalation === null || alert.acknowledged_at !== null) return null;
  const { policy, level, levels, at, channels } = data.next_escalation;
  return (
    <p dir="auto" className="max-w-[90ch] pb-2.5 wrap-anywhere">
      Next: <span className="font-[550]">{channels.length === 0 ? "no channel that still exists" : channels.join(", ")}</span> at{" "}
      <Timestamp at={at} /> unless acknowledged (level {level} of {levels} of {policy}).
    </p>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryRecord }) {
  const channelName = useChannelName();
  const { status, word } = deliveryStatus(delivery);
  const { because, replay_of } = delivery;
  const attempts = attemptWords(delivery);
  return (
    <li className="border-b border-line py-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)_5.5rem]">
        <span className="min-w-0 font-[550] wrap-anywhere">
          <bdi>{channelName(delivery.channel_id)}</bdi>
        </span>
        <span className="text-ink-2 max-md:order-3 max-md:text-sm">{eventWords(delivery)}</span>
        <Changed
          value={`${delivery.status} ${delivery.attempts}`}
          className="inline-flex min-w-0 items-center gap-2 max-md:order-4 max-md:justify-self-end"
        >
          <StatusIcon status={status} />
          <span>
            {word} <When delivery={delivery} />
          </span>
        </Changed>
        <span className="justify-self-end max-md:order-2">
          {delivery.status !== "pending" && <Replay delivery={delivery} name={channelName(delivery.channel_id)} />}
        </span>
      </div>
      <p dir="auto" className="mt-0.5 max-w-[110ch] text-sm wrap-anywhere text-ink-2">
        {[attempts, replay_of === null ? `Why: ${because}` : "replayed manually"].filter((part) => part !== "").join(" · ")}
      </p>
    </li>
  );
}

function When({ delivery: { status, sent_at, next_attempt_at } }: { delivery: DeliveryRecord }) {
  if (status === "sent" && sent_at !== null)
    return (
      <span className="text-ink-2">
        <Timestamp at={sent_at} />
      </span>
    );
  if (status !== "pending" || next_attempt_at === null) return null;
  return (
    <span className="text-ink-2">
      at <Timestamp at={next_attempt_at} />
    </span>
  );
}

function Replay({ delivery: { id, alert_id }, name }: { delivery: DeliveryRecord; name: string }) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => replayDelivery(id),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["alert", alert_id] }),
  });
  return (
    <>
      {replay.isError ? (
        <ErrorNote what="It was not replayed." error={replay.error} onRetry={() => replay.mutate()} />
      ) : (
        <Button kind="quiet" className="-my-1.5 max-md:-mr-2.5" disabled={replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending ? "Sending" : "Replay"}
          <span className="sr-only"> to {name}</span>
        </Button>
      )}
      <span role="status" className="sr-only">
        {replay.isSuccess && "Replaying."}
      </span>
    </>
  );
}
