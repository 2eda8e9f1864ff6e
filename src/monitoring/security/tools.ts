import { z } from "zod";
import { agentId, endOf, offsetOf, pageEnd, pageOf, paging, recordId, sorting } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { ServiceError } from "../../platform/errors.ts";
import { containerInsights, type InsightRecord, insight, posture, step, summary } from "./answers.ts";
import { SORT_KEYS } from "./api.ts";
import type { Postures } from "./postures.ts";
import { distributionOf } from "./records.ts";
import type { InsightService } from "./service.ts";

export interface SecurityToolParts {
  insights: InsightService;
  postures: Pick<Postures, "overall" | "ofContainer">;
  isPostureGranted(): boolean;
}

const MOST_STEPS = 5;

/** What an assistant can ask of security. */
export function securityTools({ insights, postures, isPostureGranted }: SecurityToolParts): Tool[] {
  const { why, fix } = insight.shape;
  const short = insight
    .pick({
      container_id: true,
      container_name: true,
      agent_id: true,
      image: true,
      type: true,
      severity: true,
      what: true,
      since: true,
    })
    .extend({
      finding_key: insight.shape.finding_key.meta({ ours: true }),
      // Sentences of ours about the kind of finding; nothing of the container is in them.
      why: why.meta({ ours: true }),
      fix: fix.meta({ ours: true }),
      acknowledged_by: z.string().nullable(),
      acknowledged_because: z.string().nullable(),
    });
  const standing = posture.pick({ score: true, grade: true, categories: true }).extend({
    next_steps: z
      .array(step.pick({ container_id: true, container_name: true, remedy: true, text: true, gain: true }))
      .describe("What to do next, the largest gain first, at most 5."),
  });
  const counts = summary.shape.by_severity;

  function shortened({ acknowledgment, ...record }: InsightRecord): z.output<typeof short> {
    return short.parse({
      ...record,
      acknowledged_by: acknowledgment?.acknowledged_by ?? null,
      acknowledged_because: acknowledgment?.reason ?? null,
    });
  }

  async function standingOf(container: number | undefined, host: string | undefined): Promise<z.output<typeof standing> | null> {
    if (!isPostureGranted()) return null;
    const known = container === undefined ? await postures.overall({ agent_id: host, days: 1 }) : await postures.ofContainer(container);
    return standing.parse({ ...known, next_steps: known.next_steps.slice(0, MOST_STEPS) });
  }

  return [
    tool({
      name: "get_security_insights",
      title: "Get security findings",
      description:
        "How exposed running containers are: published ports and databases, privileged mode, the host's network; why each matters and what to do, worst first, or by `sort`. With the security posture, where the edition has it: a score from 0 to 100 and the next steps. For vulnerabilities of images use get_updates.",
      finder: "list_containers",
      input: z.strictObject({
        container_id: recordId.optional().describe("Only this container, by its id from list_containers."),
        severity: insight.shape.severity.optional().describe("Only findings of this severity."),
        type: insight.shape.type.optional().describe("Only findings of this kind."),
        active_only: z.boolean().default(true).describe("Leave out findings that somebody acknowledged."),
        agent_id: agentId,
        ...sorting(SORT_KEYS),
        ...paging(),
      }),
      output: z.object({
        insights: z.array(short),
        counts: z
          .object({
            open: counts,
            acknowledged: z.number().int(),
            containers_assessed: z.number().int(),
            containers_affected: z.number().int(),
          })
          .describe(
            "Of the container or hosts that were asked for, whatever the other filters; affected are containers with an open finding.",
          ),
        not_assessed: containerInsights.shape.not_assessed,
        posture: standing.nullable().describe("Null where edition_required names it."),
        edition_required: z
          .array(z.enum(["security_posture"]))
          .describe("What the edition in force does not grant; it needs the Personal edition or above."),
        ...pageEnd,
      }),
      async handle({ container_id: id, severity, type, active_only: activeOnly, agent_id: host, sort, order, limit, cursor }) {
        const rest = {
          posture: await standingOf(id, host),
          edition_required: isPostureGranted() ? [] : (["security_posture"] as const).slice(),
        };
        if (id === undefined) {
          const offset = offsetOf(cursor);
          const acknowledged = activeOnly ? false : undefined;
          const found = insights.list({ severity, type, agent_id: host, acknowledged, sort, order, limit, offset });
          const { unacknowledged, acknowledged: taken, containers } = insights.summary(host);
          return {
            insights: found.insights.map(shortened),
            counts: {
              open: unacknowledged.by_severity,
              acknowledged: taken,
              containers_assessed: containers.assessed,
              containers_affected: containers.affected,
            },
            not_assessed: null,
            ...rest,
            ...endOf({ offset, count: found.insights.length, total: found.total }),
          };
        }
        if (host !== undefined) {
          throw new ServiceError("invalid_request", "container_id says which container is meant: leave agent_id out, or container_id.");
        }
        if (sort !== undefined || order !== undefined) {
          throw new ServiceError(
            "invalid_request",
            "The findings of one container come worst first: leave sort and order out, or container_id.",
          );
        }
        const found = await insights.ofContainer(id);
        const open = found.insights.filter(({ acknowledgment }) => acknowledgment === null);
        const shown = (activeOnly ? open : found.insights).filter(
          (each) => (severity === undefined || each.severity === severity) && (type === undefined || each.type === type),
        );
        const { page, end } = pageOf(shown, { limit, cursor });
        return {
          insights: page.map(shortened),
          counts: {
            open: distributionOf(open),
            acknowledged: found.insights.length - open.length,
            containers_assessed: found.not_assessed === null ? 1 : 0,
            containers_affected: open.length > 0 ? 1 : 0,
          },
          not_assessed: found.not_assessed,
          ...rest,
          ...end,
        };
      },
    }),
  ];
}
