import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Section } from "../../ui/section.tsx";
import { RISK_PART_WORDS, RISK_WORDS } from "./words.ts";

/** The risk of what runs: the score, and the parts that add up to it. */
export function Risk({ update: { risk_level, risk_score, risk_parts } }: { update: UpdateRecord }) {
  if (risk_level === null || risk_score === null) return null;
  const { level, word } = RISK_WORDS[risk_level];
  return (
    <Section
      title="Risk"
      aside={
        <span className="inline-flex items-center gap-1.5 text-sm text-ink tabular-nums">
          <LevelMark level={level} size={10} />
          {word}, {risk_score} of 100
        </span>
      }
    >
      <dl className="grid max-w-3xl grid-cols-[minmax(0,auto)_minmax(3rem,1fr)_auto] items-center gap-x-4 pt-2">
        {(risk_parts ?? []).map(({ name, points, of, why }) => (
          <div key={name} className="contents">
            <dt className="py-1.5">
              {RISK_PART_WORDS[name]}
              <span dir="auto" className="block max-w-[44ch] text-xs wrap-anywhere text-ink-2">
                {why}
              </span>
            </dt>
            <dd aria-hidden className="h-1.5 max-w-56 justify-self-stretch overflow-hidden rounded-full bg-line">
              <span className="block h-full rounded-full bg-ink-2" style={{ width: `${of === 0 ? 0 : (100 * points) / of}%` }} />
            </dd>
            <dd className="text-right whitespace-nowrap tabular-nums">
              <span className="font-[550]">{points}</span> <span className="text-xs text-ink-2">of {of}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
