import { z } from "zod";
import { moment, paging } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { ServiceError } from "../../platform/errors.ts";
import { ACTOR_KINDS, AUDIT_OUTCOMES } from "../../contract/audit.ts";
import { auditEntry } from "./entry.ts";
import type { AuditStore } from "./store.ts";

/** What an assistant may ask of the audit log. */
export function auditTools(store: Pick<AuditStore, "list">): Tool[] {
  return [
    tool({
      name: "list_audit_entries",
      title: "List audit entries",
      description:
        "Who changed the configuration of this monitor, when, from where, and what it was before and after; also what was refused. Newest first, kept for 400 days. " +
        "Use it to find out who paused, deleted or silenced something. For what happened to containers and checks use what_changed.",
      input: z.strictObject({
        actor: z.enum(ACTOR_KINDS).optional().describe("Only what these did."),
        outcome: z.enum(AUDIT_OUTCOMES).optional().describe("Only what was done, or only what was refused."),
        entity_type: z.string().max(64).optional().describe("Only what was done to things of this type, such as `heartbeat` or `silence`."),
        entity_id: z.string().max(64).optional().describe("Only what was done to the thing with this id."),
        since: moment.optional().describe("Not before this time."),
        until: moment.optional().describe("Before this time."),
        ...paging({ limit: 50 }),
      }),
      output: z.object({
        entries: z.array(auditEntry),
        next_cursor: z
          .string()
          .nullable()
          .describe("Ask again with it as `cursor` for more; null: this was the last page.")
          .meta({ ours: true }),
      }),
      async handle({ limit, cursor, ...filter }) {
        const entries = await store.list(filter, { limit: limit + 1, before: idOf(cursor) });
        const page = entries.slice(0, limit);
        return { entries: page, next_cursor: entries.length > limit ? `before-${page.at(-1)?.id}` : null };
      },
    }),
  ];
}

function idOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const id = /^before-(\d{1,15})$/.exec(cursor)?.[1];
  if (id === undefined) {
    throw new ServiceError("invalid_request", "cursor is not one that this tool gave: leave it out to begin with the first page.");
  }
  return Number(id);
}
