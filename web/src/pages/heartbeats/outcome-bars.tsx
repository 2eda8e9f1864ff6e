import { tellOutcomes, type RecentOutcome } from "./outcomes.ts";

const COUNT = 20;
const STEP = 5;
const HEIGHT = 16;

/** Height tells as well as colour: what went well is high, what never came is a stub. */
const BARS: Record<RecentOutcome, { height: number; colour: string }> = {
  success: { height: 16, colour: "fill-ok" },
  timeout: { height: 11, colour: "fill-degraded" },
  failure: { height: 8, colour: "fill-down" },
  missed: { height: 3, colour: "fill-down" },
};

/** How the last runs ended, one bar each, newest at the right. */
export function OutcomeBars({ outcomes }: { outcomes: readonly RecentOutcome[] }) {
  const shown = outcomes.slice(-COUNT);
  const words = tellOutcomes(shown);
  return (
    <svg
      viewBox={`0 0 ${COUNT * STEP - 2} ${HEIGHT}`}
      width={COUNT * STEP - 2}
      height={HEIGHT}
      role="img"
      aria-label={words}
      className="block"
    >
      <title>{words}</title>
      {Array.from({ length: COUNT - shown.length }, (_, index) => (
        <rect key={`none-${index}`} x={index * STEP} y={HEIGHT - 2} width="3" height="2" className="fill-line-strong" />
      ))}
      {shown.map((outcome, index) => {
        const { height, colour } = BARS[outcome];
        const x = (COUNT - shown.length + index) * STEP;
        return <rect key={x} x={x} y={HEIGHT - height} width="3" height={height} rx="1" className={colour} />;
      })}
    </svg>
  );
}
