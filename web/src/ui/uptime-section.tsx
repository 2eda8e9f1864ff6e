import type { ComponentProps } from "react";
import { Changed } from "./changed.tsx";
import { ErrorNote } from "./error-note.tsx";
import { Percent } from "./percent.tsx";
import { Section } from "./section.tsx";
import { Skeleton } from "./skeleton.tsx";
import { observedDays } from "./observed-days.ts";
import { UptimeBars } from "./uptime-bars.tsx";

export interface UptimeSectionProps {
  /** What the figures are shares of. */
  aside: string;
  /** By the name of a span; null where nothing is known. */
  figures: readonly (readonly [name: string, percent: number | null])[];
  /** Newest first; undefined until they are read. */
  days: ComponentProps<typeof UptimeBars>["days"] | undefined;
  error: Error | null;
  onRetry(): void;
}

/** From how many days on a figure shows more than that of the span before it: one check is no 90 days. */
const OBSERVED_FOR: Readonly<Record<string, number>> = { "7 days": 2, "30 days": 8, "90 days": 31 };

/** How much of the time something was well, in figures and day by day. */
export function UptimeSection({ aside, figures, days, error, onRetry }: UptimeSectionProps) {
  const observed = days === undefined ? 0 : observedDays(days);
  return (
    <Section title="Uptime" aside={aside}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-x-10 gap-y-4 pt-3 lg:grid-cols-[auto_minmax(0,1fr)]">
        <dl className="flex gap-x-6 *:min-w-14">
          {figures.map(([name, percent]) => {
            const isKnown = observed >= (OBSERVED_FOR[name] ?? 0);
            return (
              <div key={name} title={isKnown ? undefined : `Available once it was monitored for ${OBSERVED_FOR[name]} days`}>
                <dt className="text-xs text-ink-2">{name}</dt>
                <dd className="mt-0.5 text-lg font-[550] whitespace-nowrap tabular-nums">
                  {isKnown ? (
                    <Changed value={percent}>
                      <Percent value={percent} />
                    </Changed>
                  ) : (
                    "–"
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
        <div className="min-h-[44px] min-w-0">
          {days !== undefined && (
            <>
              <UptimeBars days={days} />
              <div className="mt-1 flex justify-between text-xs text-ink-3">
                <span>90 days ago</span>
                <span>Today</span>
              </div>
            </>
          )}
          {days === undefined && error === null && <Skeleton className="h-6 w-full" />}
          {days === undefined && error !== null && <ErrorNote what="Could not load uptime by day." error={error} onRetry={onRetry} />}
        </div>
      </div>
    </Section>
  );
}

/** The figures of a record whose server counts them. */
export function spanFigures(uptime: Readonly<Record<"24h" | "7d" | "30d" | "90d", number | null>>): UptimeSectionProps["figures"] {
  return [
    ["24 hours", uptime["24h"]],
    ["7 days", uptime["7d"]],
    ["30 days", uptime["30d"]],
    ["90 days", uptime["90d"]],
  ];
}
