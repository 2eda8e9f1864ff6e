import type { ContainerPostureDetail, Posture } from "../../../../src/monitoring/security/answers.ts";
import { CATEGORY_WORDS, countWords, GRADE_WORDS } from "./words.ts";

type Scored = Pick<Posture | ContainerPostureDetail, "score" | "grade" | "categories">;

/** A score with its grade, and the categories that it is made of. */
export function Score({ score, grade, categories }: Scored) {
  const words = grade === null ? undefined : GRADE_WORDS[grade];
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4 pt-4">
      <div className="w-40">
        <p className="text-[44px] leading-none font-[620] tracking-[-0.02em] tabular-nums">
          {score ?? "–"}
          <span className="text-base font-normal tracking-normal text-ink-2"> of 100</span>
        </p>
        {words !== undefined && (
          <p className="mt-2">
            {words.word}, grade {grade}
          </p>
        )}
      </div>
      <dl className="grid min-w-60 flex-1 grid-cols-[auto_minmax(3rem,1fr)_auto] items-center gap-x-4 gap-y-1.5 sm:max-w-[26rem]">
        {categories.map((category) => (
          <div key={category.name} className="contents">
            <dt>
              {CATEGORY_WORDS[category.name]}
              <span className="block text-xs text-ink-2">{shareOf(category, categories)} % of the score</span>
            </dt>
            <dd aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
              <span className="block h-full rounded-full bg-ink-2" style={{ width: `${category.score}%` }} />
            </dd>
            <dd className="w-32 text-right tabular-nums max-sm:w-24">
              <span className="font-[550]">{category.score}</span>
              <span className="block text-xs text-ink-2">{countWords(category)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Those that apply share the whole. */
function shareOf({ weight }: Posture["categories"][number], all: Posture["categories"]): number {
  return Math.round((100 * weight) / all.reduce((sum, each) => sum + each.weight, 0));
}
