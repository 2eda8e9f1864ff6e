import { z } from "zod";
import { endOf, offsetOf, pageEnd, paging } from "../../../mcp/arguments.ts";
import { tool, type Tool } from "../../../mcp/tool.ts";
import type { Components } from "../seams.ts";
import { IMPACTS } from "../vocabulary.ts";
import { incident, incidentUpdate } from "./answers.ts";
import type { IncidentService } from "./service.ts";

export interface IncidentToolParts {
  service: Pick<IncidentService, "list">;
  components: Pick<Components, "find">;
}

/** What an assistant can ask of incidents. */
export function incidentTools({ service, components }: IncidentToolParts): Tool[] {
  const short = incident
    .pick({ id: true, title: true, severity: true, status: true, automatic: true, created_at: true, updated_at: true, resolved_at: true })
    .extend({
      components: z
        .array(z.object({ id: z.number().int(), name: z.string(), status: z.enum(IMPACTS) }))
        .describe("What of the status page it concerns, and what each is at least while it is open; empty: all."),
      latest_update: incidentUpdate.omit({ id: true }).nullable().describe("The latest public update."),
      updates: z.number().int().describe("How many there are."),
    });

  return [
    tool({
      name: "list_incidents",
      title: "List incidents of the status page",
      description:
        "What the public status page shows: which incidents are open, since when, which components they concern and their latest update. For all problems, public or not, use list_alerts.",
      input: z.strictObject({
        active_only: z
          .boolean()
          .default(true)
          .describe("Only incidents that are not resolved; false: resolved ones follow, the latest first."),
        ...paging({ limit: 25, maxLimit: 100 }),
      }),
      output: z.object({ incidents: z.array(short), ...pageEnd }),
      async handle({ active_only: activeOnly, limit, cursor }) {
        const offset = offsetOf(cursor);
        const { incidents, total } = await service.list({ state: activeOnly ? "open" : "all", limit, offset });
        return {
          incidents: incidents.map(({ impacts, updates, ...record }) =>
            short.parse({
              ...record,
              components: impacts.flatMap(({ component_id: id, status }) => {
                const component = components.find(id);
                return component === undefined ? [] : [{ id, name: component.name, status }];
              }),
              latest_update: updates.at(-1) ?? null,
              updates: updates.length,
            }),
          ),
          ...endOf({ offset, count: incidents.length, total }),
        };
      },
    }),
  ];
}
