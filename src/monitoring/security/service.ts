import { compareNames } from "../../contract/words.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "../../events.ts";
import { sortedRows, type SortValue } from "../../http/sorting.ts";
import type { InsightQuery, SortKey } from "./api.ts";
import type { ContainerInsights, InsightList, Summary } from "./answers.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { compareSeverity, INSIGHTS, isAssessed } from "./insight.ts";
import { aboutOf, distributionOf, insightRecord, sinceOf } from "./records.ts";
import { type Assessment, type Finding, openFindings, type Register } from "./register.ts";

/** What can be asked of what is found. */
export interface InsightService {
  /** Worst first, those acknowledged after the others of their severity; or as asked for. Throws `unusable_values` for `order` without `sort`. */
  list(query: InsightQuery): InsightList;
  /** For one container without findings too, and for archived ones. Throws `not_found`. */
  ofContainer(id: number): Promise<ContainerInsights>;
  summary(host: string | undefined): Summary;
}

export interface InsightServiceParts {
  register: Register;
  containers: Pick<Containers, "service">;
  ecosystemOf: (container: SavedContainer) => Ecosystem | null;
}

interface FoundFinding {
  container: SavedContainer;
  finding: Finding;
}

const SORTED_BY: Readonly<Record<SortKey, (found: FoundFinding) => SortValue>> = {
  severity: ({ finding }) => INSIGHT_SEVERITIES.indexOf(INSIGHTS[finding.type].severity),
  type: ({ finding }) => INSIGHT_TYPES.indexOf(finding.type),
  name: ({ container }) => container.name,
  image: ({ container }) => container.image,
  since: ({ container }) => sinceOf(container).getTime(),
};

export function createInsightService({ register, containers, ecosystemOf }: InsightServiceParts): InsightService {
  return {
    list({ severity, type, agent_id: host, acknowledged, sort, order, limit, offset }) {
      const found: FoundFinding[] = [];
      for (const { container, findings } of register.all(host)) {
        for (const finding of findings) {
          if (severity !== undefined && INSIGHTS[finding.type].severity !== severity) continue;
          if (type !== undefined && finding.type !== type) continue;
          if (acknowledged !== undefined && (finding.acknowledgment !== undefined) !== acknowledged) continue;
          found.push({ container, finding });
        }
      }
      found.sort(
        (a, b) =>
          compareFindings(a.finding, b.finding) || compareNames(a.container.name, b.container.name) || a.container.id - b.container.id,
      );
      const insights = sortedRows(found, { sort, order }, SORTED_BY)
        .slice(offset, offset + limit)
        .map(({ container, finding }) => insightRecord(container, finding, ecosystemOf(container)));
      return { insights, total: found.length, has_more: offset + insights.length < found.length };
    },

    async ofContainer(id) {
      const container = await containers.service.find(id);
      const assessment = register.get(id) ?? { container, findings: [] };
      const ecosystem = ecosystemOf(assessment.container);
      return {
        ...aboutOf(assessment.container),
        ecosystem,
        not_assessed: whyNotAssessed(container),
        insights: insightsOfContainer(assessment, ecosystem),
        total: assessment.findings.length,
      };
    },

    summary(host) {
      const assessments = [...register.all(host)];
      const all = assessments.flatMap(({ findings }) => findings);
      const open = assessments.flatMap(openFindings);
      return {
        ...tallyOf(all),
        acknowledged: all.length - open.length,
        unacknowledged: tallyOf(open),
        containers: {
          assessed: assessments.length,
          affected: assessments.filter((assessment) => openFindings(assessment).length > 0).length,
        },
      };
    },
  };
}

/** All that is found of one container, in the order in which it is listed. */
export function insightsOfContainer({ container, findings }: Assessment, ecosystem: Ecosystem | null) {
  return findings
    .toSorted((a, b) => Number(a.acknowledgment !== undefined) - Number(b.acknowledgment !== undefined) || compareFindings(a, b))
    .map((finding) => insightRecord(container, finding, ecosystem));
}

/** Why nothing is looked for in a container, as a sentence; null when something is. */
export function whyNotAssessed(container: SavedContainer): string | null {
  if (container.archivedAt !== null) return "It was removed from its host.";
  if (isAssessed(container)) return null;
  if (container.settings.ignored) return "Its label service.ignore keeps it out.";
  return `It does not run (${container.state}), so nothing of it is exposed.`;
}

function tallyOf(findings: readonly Finding[]): Summary["unacknowledged"] {
  const byType = new Map(INSIGHT_TYPES.map((type) => [type, 0]));
  for (const { type } of findings) byType.set(type, (byType.get(type) ?? 0) + 1);
  return {
    total: findings.length,
    by_severity: distributionOf(findings),
    // Every kind is in it.
    by_type: Object.fromEntries(byType) as Summary["by_type"],
  };
}

function compareFindings(a: Finding, b: Finding): number {
  return (
    compareSeverity(INSIGHTS[a.type].severity, INSIGHTS[b.type].severity) ||
    Number(a.acknowledgment !== undefined) - Number(b.acknowledgment !== undefined) ||
    INSIGHT_TYPES.indexOf(a.type) - INSIGHT_TYPES.indexOf(b.type) ||
    compareNames(a.key, b.key)
  );
}
