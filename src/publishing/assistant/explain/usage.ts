import { MINUTE_MS } from "../../../contract/time.ts";
import type { UsageAround } from "../../../monitoring/resources/index.ts";
import { evidence } from "../evidence.ts";
import { bytesText, durationText } from "../words.ts";
import { type AlertFacts, type Finding, momentOf } from "./facts.ts";

type Point = UsageAround["points"][number];

/** More than this and memory or CPU may have to do with it. */
const MUCH_PERCENT = 80;
/** Growth by so much is worth a sentence. */
const GROWTH = 1.5;

/** What the container used before the moment. Of what was not measured nothing is said. */
export function findUsage(facts: AlertFacts): Finding[] {
  const { container, usage } = facts;
  if (container === null || usage === null) return [];
  const momentMs = momentOf(facts).getTime();
  // A step that holds the moment began before it.
  const before = usage.points.filter(({ at }) => at.getTime() < momentMs);
  const lastMinute = before.filter(({ at }) => at.getTime() + usage.stepSeconds * 1000 > momentMs - MINUTE_MS);
  const spanText = usage.stepSeconds >= 3600 ? "in the hour of it" : "in the minute before";
  const samples = ({ at }: Point) => [evidence("samples", container.id, at.toISOString())];
  const findings: Finding[] = [];

  const fullest = most(lastMinute, ({ memoryBytes }) => memoryBytes);
  if (fullest !== undefined) findings.push({ claim: memoryText(fullest, spanText), evidence: samples(fullest) });
  const growth = growthOf(before);
  if (growth !== undefined) findings.push({ claim: growth.claim, evidence: [...samples(growth.from), ...samples(growth.to)] });
  const busiest = most(lastMinute, ({ cpuPercent }) => cpuPercent);
  if (busiest !== undefined && (busiest.cpuPercent ?? 0) >= MUCH_PERCENT)
    findings.push({
      claim: `Its CPU was at ${Math.round(busiest.cpuPercent ?? 0)} % of what it may use ${spanText}.`,
      evidence: samples(busiest),
    });
  return findings;
}

function memoryText({ memoryBytes, memoryLimitBytes }: Point, spanText: string): string {
  const used = memoryBytes ?? 0;
  if (memoryLimitBytes === null || memoryLimitBytes <= 0) return `Its memory was at most ${bytesText(used)} ${spanText}.`;
  const percent = Math.floor((used / memoryLimitBytes) * 100);
  return `Its memory was at most ${percent} % of the ${bytesText(memoryLimitBytes)} that it may use ${spanText}${percent < MUCH_PERCENT ? ": not near it" : ""}.`;
}

/** From the least to the most that came after it. */
function growthOf(points: readonly Point[]): { claim: string; from: Point; to: Point } | undefined {
  const to = most(points, ({ memoryBytes }) => memoryBytes);
  const earlier = points.filter(({ at }) => to !== undefined && at < to.at);
  const from = most(earlier, ({ memoryBytes }) => (memoryBytes === null ? null : -memoryBytes));
  const [least, peak] = [from?.memoryBytes ?? 0, to?.memoryBytes ?? 0];
  if (from === undefined || to === undefined || least <= 0 || peak / least < GROWTH) return undefined;
  const took = durationText(to.at.getTime() - from.at.getTime());
  return { claim: `Its memory grew from ${bytesText(least)} to ${bytesText(peak)} within ${took}.`, from, to };
}

/** The latest of those with the highest value; undefined where none has one. */
function most(points: readonly Point[], of: (point: Point) => number | null): Point | undefined {
  let best: Point | undefined;
  for (const point of points) {
    const value = of(point);
    if (value !== null && (best === undefined || value >= (of(best) ?? -Infinity))) best = point;
  }
  return best;
}
