import { type Day, daysInWords, dayTitle } from "./observed-days.ts";

const HEIGHT = 24;
const STEP = 7;

/** One bar a day, newest at the right. Height shows it as well as colour: a bad day is a low bar. `days` come newest first. */
export function UptimeBars({ days }: { days: readonly Day[] }) {
  const oldestFirst = days.toReversed();
  return (
    <svg
      viewBox={`0 0 ${days.length * STEP - 2} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-6 w-full"
      role="img"
      aria-label={daysInWords(days)}
    >
      {oldestFirst.map((day, index) => (
        <g key={day.date}>
          <title>{dayTitle(day)}</title>
          <rect x={index * STEP - 1} width={STEP} height={HEIGHT} fill="transparent" />
          <Bar day={day} x={index * STEP} />
        </g>
      ))}
    </svg>
  );
}

function Bar({ day, x }: { day: Day; x: number }) {
  const uptime = day.uptime_percent;
  if (uptime === null) return <rect x={x} y={HEIGHT - 3} width="5" height="3" className="fill-line-strong" />;
  const lost = uptime >= 99.9 ? 0 : 4 + ((100 - uptime) / 100) * 12;
  const colour = uptime >= 99.9 ? "fill-ok" : uptime >= 95 ? "fill-degraded" : "fill-down";
  return <rect x={x} y={lost} width="5" height={HEIGHT - lost} rx="1" className={colour} />;
}
