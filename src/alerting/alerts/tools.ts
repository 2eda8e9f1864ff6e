import { z } from "zod";
import { agentId, endOf, moment, offsetOf, pageEnd, pageOf, paging, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { ALERT_SOURCES, type Alert, SEVERITIES } from "../vocabulary.ts";
import { compareAlerts } from "./alert.ts";
import { acknowledgeBody } from "./api.ts";
import { activeAlerts, alertForAssistants } from "./answers.ts";
import type { Register } from "./register.ts";
import type { AlertService } from "./service.ts";

export interface AlertToolParts {
  service: Pick<AlertService, "list" | "acknowledge">;
  register: Pick<Register, "active" | "shown">;
}

/** What an assistant can read of alerts, and the one change that it can make. */
export function alertTools({ service, register }: AlertToolParts): Tool[] {
  const short = alertForAssistants();
  const { acknowledged_by: person, note } = acknowledgeBody.shape;

  return [
    tool({
      name: "list_alerts",
      title: "List alerts",
      description:
        "What is wrong now, worst first: since when, what is known of the cause, who took it on. With active_only false what is over too, newest first. To learn why one alert fired, use explain_alert.",
      input: z.strictObject({
        active_only: z.boolean().default(true).describe("Only what is wrong now."),
        severity: z.enum(SEVERITIES).optional().describe("Only alerts of this severity."),
        source: z.enum(ALERT_SOURCES).optional().describe("Only alerts about this kind of thing."),
        since: moment.optional().describe("Only what began at this moment or later."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({
        alerts: z.array(short),
        counts: activeAlerts.shape.counts.describe("Of what is wrong now and matches, by severity."),
        ...pageEnd,
      }),
      async handle({ active_only: activeOnly, limit, cursor, ...filter }) {
        const wrong = register.active().filter((each) => matches(each, filter));
        const counts = { critical: 0, warning: 0, info: 0 };
        for (const { severity } of wrong) counts[severity] += 1;
        if (activeOnly) {
          const { page, end } = pageOf(wrong.toSorted(compareAlerts), { limit, cursor });
          return { alerts: page.map((each) => short.parse(register.shown(each))), counts, ...end };
        }
        const offset = offsetOf(cursor);
        const { alerts, total } = await service.list({ ...filter, limit, offset });
        return { alerts: alerts.map((each) => short.parse(each)), counts, ...endOf({ offset, count: alerts.length, total }) };
      },
    }),

    tool({
      name: "acknowledge_alert",
      title: "Acknowledge an alert",
      description:
        "Says that a person has taken an alert on, which stops its escalation. It changes nothing of the problem. Only on the wish of the person whose name is given; an alert that is over or was taken on before is refused.",
      writes: true,
      finder: "list_alerts",
      input: z.strictObject({
        alert_id: recordId.describe("The alert's id, from list_alerts."),
        acknowledged_by: person.describe("The name of the person who takes it on."),
        note: note.describe("What that person wants others to know, such as what is done about it."),
      }),
      output: z.object({ alert: short }),
      handle: async ({ alert_id: id, acknowledged_by, note: text }) => ({
        alert: short.parse(await service.acknowledge(id, { acknowledged_by, note: text })),
      }),
    }),
  ];
}

/** Filters as the list of all alerts does. */
function matches(
  { severity, source, firedAt, agentId: host }: Alert,
  filter: { severity?: string | undefined; source?: string | undefined; since?: string | undefined; agent_id?: string | undefined },
): boolean {
  return (
    (filter.severity === undefined || severity === filter.severity) &&
    (filter.source === undefined || source === filter.source) &&
    (filter.since === undefined || firedAt.getTime() >= Date.parse(filter.since)) &&
    (filter.agent_id === undefined || (host ?? "local") === filter.agent_id)
  );
}
