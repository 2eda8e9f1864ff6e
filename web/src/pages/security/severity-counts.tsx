import { INSIGHT_SEVERITIES } from "../../../../src/contract/security.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { FINDING_SEVERITY_WORDS, type FindingSeverity } from "../../entities/security/words.ts";

/** How many findings of each severity are not acknowledged. */
export function SeverityCounts({ counts }: { counts: Readonly<Record<FindingSeverity, number>> }) {
  return (
    <span className="flex items-center gap-4">
      {INSIGHT_SEVERITIES.filter((severity) => severity !== "medium" || counts.medium > 0).map((severity) => {
        const { level, word } = FINDING_SEVERITY_WORDS[severity];
        return (
          <span key={severity} className="inline-flex items-center gap-1.5 tabular-nums">
            <LevelMark level={counts[severity] === 0 ? 0 : level} size={10} />
            {counts[severity]} {word.toLowerCase()}
          </span>
        );
      })}
    </span>
  );
}
