import { useQuery } from "@tanstack/react-query";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import { alertTraceQuery } from "../../../api/alert-queries.ts";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { timelineOf } from "./timeline.ts";
import { useChannelName } from "../../../entities/alerts/use-channel-name.ts";

/** What happened to it, the latest first. */
export function TimelineSection({ alert }: { alert: ShownAlert }) {
  const { data: trace } = useQuery(alertTraceQuery(alert.id));
  const channelName = useChannelName();
  return (
    <Section title="Timeline">
      <ol aria-label="Timeline">
        {timelineOf(alert, trace, channelName).map(({ at, status, what, more }, index) => (
          <li key={`${at} ${index}`} className="grid grid-cols-[20px_minmax(0,1fr)_auto] items-baseline gap-x-2 border-b border-line py-2">
            <StatusIcon status={status} className="translate-y-px" />
            <div className="min-w-0">
              <p dir="auto" className="wrap-anywhere">
                {what}
              </p>
              {more !== "" && (
                <p dir="auto" className="text-sm wrap-anywhere text-ink-2">
                  {more}
                </p>
              )}
            </div>
            <span className="text-sm text-ink-2">
              <Timestamp at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
