import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { RunRecord } from "../../../../../src/alerting/escalation/answers.ts";
import type { EditionView } from "../../../../../src/editions/answers.ts";
import { alertEscalationsQuery, escalationRunQuery } from "../../../api/alert-queries.ts";
import { isApiError } from "../../../api/client.ts";
import { editionQuery } from "../../../api/queries.ts";
import { editionName } from "../../../format/edition-name.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { DELIVERY_WORDS, deliveryPurpose, levelWords, RUN_WORDS } from "../../../entities/alerts/run-words.ts";

/** The escalations that it began, with what they sent; where the edition has none, which one does. */
export function EscalationSection({ alert }: { alert: ShownAlert }) {
  const { data: edition } = useQuery(editionQuery);
  const capability = edition?.capabilities.find(({ name }) => name === "escalation");
  const { data, error, refetch } = useQuery({ ...alertEscalationsQuery(alert.id), enabled: capability?.granted === true });
  if (capability?.granted === false || isApiError(error, "EDITION_REQUIRED"))
    return <Gated required={capability?.required_edition ?? "pro"} />;
  if (error !== null && data === undefined)
    return (
      <Section title="Escalation">
        <ErrorNote what="Could not load escalations." error={error} onRetry={() => void refetch()}>
          Escalations continue.
        </ErrorNote>
      </Section>
    );
  if (data === undefined || data.runs.length === 0) return null;
  return (
    <Section title="Escalation">
      <ul>
        {data.runs.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function Gated({ required }: { required: EditionView["edition"] }) {
  return (
    <Section title="Escalation">
      <p className="flex gap-2 py-3 text-ink-2">
        <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
        <span>
          Escalation is part of the {editionName(required)} edition.{" "}
          <Link to="/settings" className="text-accent underline underline-offset-2">
            Edition and licence
          </Link>
        </span>
      </p>
    </Section>
  );
}

function Run({ run }: { run: RunRecord }) {
  const { data } = useQuery(escalationRunQuery(run.alert_id, run.id));
  const { status, word } = RUN_WORDS[run.status];
  return (
    <li className="border-b border-line py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-[550] wrap-anywhere">
          <bdi>{run.policy.name}</bdi>
        </span>
        <span className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </span>
        <span className="text-ink-2 tabular-nums">
          {levelWords(run)}, since <Timestamp at={run.started_at} />
          <Next run={run} />
        </span>
      </p>
      {data !== undefined && data.deliveries.length > 0 && (
        <ul className="mt-1 text-sm text-ink-2">
          {data.deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-baseline gap-x-3 py-0.5">
              <span className="w-36">{deliveryPurpose(delivery)}</span>
              <span className="min-w-0 wrap-anywhere text-ink">
                <bdi>{delivery.channel_name ?? `Channel ${delivery.channel_id}`}</bdi>
              </span>
              <span className="inline-flex items-center gap-2">
                <StatusIcon status={DELIVERY_WORDS[delivery.status].status} size={10} />
                {DELIVERY_WORDS[delivery.status].word} <Timestamp at={delivery.settled_at ?? delivery.created_at} />
              </span>
              {delivery.error !== null && (
                <span dir="auto" className="wrap-anywhere">
                  {delivery.error}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Next({ run: { next_level_at, exhausts_at, ended_at } }: { run: RunRecord }) {
  if (ended_at !== null)
    return (
      <>
        , until <Timestamp at={ended_at} />
      </>
    );
  if (next_level_at !== null)
    return (
      <>
        , next level at <Timestamp at={next_level_at} />
      </>
    );
  if (exhausts_at === null) return null;
  return (
    <>
      , given up at <Timestamp at={exhausts_at} />
    </>
  );
}
