import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import type { Grouping } from "./grouping.ts";
import { TYPE_WORDS } from "./words.ts";

/** Findings of one container, kind or image. */
export interface FindingGroup {
  key: string;
  name: string;
  insights: readonly [InsightRecord, ...InsightRecord[]];
}

type Named = Pick<FindingGroup, "key" | "name">;

const NAMES: Readonly<Record<Grouping, (insight: InsightRecord) => Named>> = {
  container: ({ container_id, container_name }) => ({ key: `container ${container_id}`, name: container_name }),
  type: ({ type }) => ({ key: `type ${type}`, name: TYPE_WORDS[type] }),
  image: ({ image }) => ({ key: `image ${image}`, name: image }),
};

/** The findings in groups, these in the order of the first finding of each. */
export function groupFindings(insights: readonly InsightRecord[], by: Grouping): FindingGroup[] {
  const groups = Map.groupBy(insights, (insight) => NAMES[by](insight).key);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...NAMES[by](first), insights: [first, ...others] as const }],
  );
}
