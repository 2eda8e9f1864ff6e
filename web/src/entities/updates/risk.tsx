import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Section } from "../../ui/section.tsx";
import { RISK_PART_WORDS, riskWords } from "./words.ts";

/** The risk of what runs: the score, and the parts that add up to it. */
export function Risk({ update }: { update: UpdateRecord }) {
  const risk = riskWords(update);
  if (risk === undefined) return null;
  return (
    <Section
      title="Risk"
      aside={
        <span className="inline-flex items-center gap-1.5 text-sm text-ink tabular-nums">
          <LevelMark level={risk.level} size={10} />
          {risk.word}
          {risk.isOpen && "+"}, {risk.score}
        </span>
      }
    >
      <dl className="grid max-w-3xl grid-cols-[minmax(0,auto)_minmax(3rem,1fr)_auto] items-center gap-x-4 pt-2">
        {(update.risk_parts ?? []).map(({ name, points, of, known, why }) => (
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
              <span className="font-[550]">{known ? points : points === 0 ? "?" : `${points} or more`}</span>{" "}
              <span className="text-xs text-ink-2">of {of}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
