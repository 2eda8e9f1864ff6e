import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { CreateBody } from "../../../../../src/alerting/routing/api.ts";
import type { Simulation } from "../../../../../src/alerting/routing/answers.ts";
import { simulateTrigger } from "../../../api/triggers.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { channelWords, daysSummary, simulationWords } from "./simulation-words.ts";

interface Properties {
  /** What is tried. Give another key with other settings, so that no answer stands beside settings that it is not about. */
  settings: Omit<CreateBody, "name">;
  startsAtOnce?: boolean;
}

/** What such a trigger would have sent in the last 30 days: numbers, days, examples. */
export function WhatIf({ settings, startsAtOnce = false }: Properties) {
  const trying = useMutation({ mutationFn: () => simulateTrigger({ trigger: settings }) });
  const { mutate, isIdle } = trying;
  useEffect(() => {
    if (startsAtOnce && isIdle) mutate();
  }, [startsAtOnce, isIdle, mutate]);

  return (
    <div className="mt-2 rounded border border-line bg-sunken px-3 py-2.5">
      {!startsAtOnce && (
        <Button disabled={trying.isPending} onClick={() => mutate()}>
          {trying.isPending ? "Checking the last 30 days" : "Preview on the last 30 days"}
        </Button>
      )}
      <div role="status">
        {startsAtOnce && trying.isPending && <p className="text-ink-2">Checking the last 30 days</p>}
        {trying.data !== undefined && <Answer answer={trying.data} />}
      </div>
      {trying.isError && (
        <ErrorNote what="Preview failed." error={trying.error} {...(startsAtOnce && { onRetry: () => mutate() })}>
          Nothing was sent or changed.
        </ErrorNote>
      )}
    </div>
  );
}

function Answer({ answer }: { answer: Simulation }) {
  return (
    <div className="mt-1 flex flex-col gap-2">
      <p>{simulationWords(answer)}</p>
      {answer.deliveries > 0 && <DayBars days={answer.per_day} />}
      {answer.by_channel.length > 0 && answer.matched > 0 && (
        <ul className="text-sm">
          {answer.by_channel.map((channel) => (
            <li key={channel.channel_id} className="wrap-anywhere">
              <bdi className="font-[550]">{channel.name}</bdi>: <span className="text-ink-2">{channelWords(channel)}</span>
            </li>
          ))}
        </ul>
      )}
      {answer.examples.length > 0 && (
        <details>
          <Summary>Examples</Summary>
          <ul className="mt-1 text-sm">
            {answer.examples.map(({ alert_id, message, fired_at }) => (
              <li key={alert_id} className="flex gap-3 py-0.5">
                <span className="shrink-0 text-ink-2">
                  <Timestamp at={fired_at} precision="minute" />
                </span>
                <Link to="/alerts/$id" params={{ id: alert_id }} className="min-w-0 wrap-anywhere hover:underline">
                  <bdi>{message}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const STEP = 10;
const HEIGHT = 32;

/** A bar for each day, as high as its messages. */
function DayBars({ days }: { days: Simulation["per_day"] }) {
  const most = Math.max(1, ...days.map(({ deliveries }) => deliveries));
  return (
    <svg
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={daysSummary(days)}
      className="h-8 w-full max-w-[30rem]"
    >
      {days.map(({ date, deliveries }, index) => {
        const height = deliveries === 0 ? 1 : 3 + (deliveries / most) * (HEIGHT - 3);
        return (
          <rect
            key={date}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 2}
            height={height}
            className={deliveries === 0 ? "fill-line-strong" : "fill-accent"}
          >
            <title>
              {date}: {deliveries}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}
