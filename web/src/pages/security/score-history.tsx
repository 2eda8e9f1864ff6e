import type { PostureDayRecord } from "../../../../src/monitoring/security/answers.ts";
import { countOf } from "../../format/number.ts";
import { formatDay } from "../../format/time.ts";
import { dayBars } from "./day-bars.ts";

const DAYS = 90;
const HEIGHT = 56;
const STEP = 7;

/** The score day by day, one bar each, today at the right. */
export function ScoreHistory({ history }: { history: readonly PostureDayRecord[] }) {
  const bars = dayBars(history, DAYS);
  const first = history[0];
  const last = history.at(-1);
  if (first === undefined || last === undefined) return <p className="py-3 text-ink-2">History starts once a container runs.</p>;
  return (
    <div className="pt-3">
      <svg
        viewBox={`0 0 ${DAYS * STEP - 2} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-14 w-full"
        role="img"
        aria-label={`The score over ${countOf(history.length, "day")}: ${first.score} on ${first.date}, ${last.score} now`}
      >
        {bars.map((day, index) => (
          <Bar key={index} day={day} x={index * STEP} />
        ))}
      </svg>
      <p className="mt-1 flex justify-between text-xs text-ink-2 tabular-nums">
        <span>{DAYS} days ago</span>
        {first.date !== last.date && (
          <span>
            {first.score} on {formatDay(new Date(`${first.date}T12:00`), new Date(`${last.date}T12:00`).getTime())}
          </span>
        )}
        <span>Today: {last.score}</span>
      </p>
    </div>
  );
}

function Bar({ day, x }: { day: PostureDayRecord | undefined; x: number }) {
  if (day === undefined) return <rect x={x} y={HEIGHT - 2} width="5" height="2" className="fill-line-strong" />;
  const height = Math.max(3, (day.score / 100) * HEIGHT);
  return (
    <g>
      <title>{`${day.date}: ${day.score}; ${day.critical} critical, ${day.high} high, ${day.medium} medium, ${day.acknowledged} acknowledged`}</title>
      <rect x={x - 1} width={STEP} height={HEIGHT} fill="transparent" />
      <rect x={x} y={HEIGHT - height} width="5" height={height} rx="1" className="fill-accent" />
    </g>
  );
}
