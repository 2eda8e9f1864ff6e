import { z } from "zod";
import { alertForAssistants, alertTrace } from "../../alerting/alerts/answers.ts";
import { CHANGE_KINDS } from "../../contract/change-kinds.ts";
import { agentId, moment, pageEnd, paging, recordId } from "../../mcp/arguments.ts";
import { certificate } from "../../monitoring/certificates/answers.ts";
import { container } from "../../monitoring/containers/api.ts";
import { transition } from "../../monitoring/containers/answers.ts";
import { check, endpoint } from "../../monitoring/endpoints/answers.ts";
import { execution, heartbeat } from "../../monitoring/heartbeats/answers.ts";
import { COUNTED_UP_TO } from "./changes/change.ts";
import { aroundFields, entitySchema, evidenceSchema, findingsSchema, ownText } from "./explain/schemas.ts";

// Schemas are made when an assistant is first there: most programs never have one.

/** What explain_alert takes and answers. */
export function explainSchemas() {
  const input = z.strictObject({
    alert_id: recordId.describe("Which alert: its `id`, from list_alerts."),
  });
  return { input, output: explanationSchema() };
}

function explanationSchema() {
  const ours = ownText();
  const alertFields = alertForAssistants();
  return z.object({
    alert: alertFields.extend({ host: z.string().nullable().describe("what people call its host; null: the local one") }),
    moment: moment.describe("when it happened, according to records: everything below is around this"),
    findings: findingsSchema(),
    missing: z.array(ours).describe("what no record shows; do not guess at it"),
    notified: z.object({
      summary: z.string(),
      stages: alertTrace.shape.stages.describe("the latest verdicts on whether to notify somebody, oldest first"),
      deliveries: z.array(
        alertTrace.shape.deliveries.element.pick({
          id: true,
          channel_id: true,
          event: true,
          because: true,
          status: true,
          attempts: true,
          last_status_code: true,
          last_error: true,
          sent_at: true,
          created_at: true,
        }),
      ),
    }),
    container: container
      .pick({
        id: true,
        name: true,
        image: true,
        image_digest: true,
        group: true,
        state: true,
        health: true,
        exit_code: true,
        oom_killed: true,
        error_detail: true,
        restart_count: true,
        restart_loop: true,
        started_at: true,
        finished_at: true,
        archived_at: true,
      })
      .nullable()
      .describe("as it is now: what the alert is about, or what runs it"),
    transitions: z
      .array(transition.omit({ log_snippet: true, health_failure: true }))
      .describe("newest first, up to 15 minutes after the alert"),
    ...aroundFields(),
    image_changes: z
      .array(
        z.object({
          id: z.number().int(),
          at: moment,
          image: z.string(),
          image_digest: z.string().nullable(),
          previous_image: z.string(),
          previous_digest: z.string().nullable(),
        }),
      )
      .describe("within the 24 hours before, newest first"),
    related: z.object({
      alerts: z.array(
        alertFields.pick({
          id: true,
          source: true,
          severity: true,
          message: true,
          fired_at: true,
          event: true,
          entity_type: true,
          entity_id: true,
        }),
      ),
      total: z.number().int().describe("active alerts of the same thing, of what it depends on, or of the same host"),
    }),
    endpoint: endpoint
      .pick({ id: true, name: true, type: true, target: true, status: true, status_since: true, last_check_at: true, container_id: true })
      .nullable(),
    checks: z.array(check).describe("of the endpoint, newest first"),
    heartbeat: heartbeat
      .pick({ id: true, name: true, status: true, reason: true, schedule: true, last_ping_at: true, next_deadline_at: true })
      .nullable(),
    runs: z.array(execution).describe("of the heartbeat's job, newest first"),
    certificate: certificate
      .pick({
        id: true,
        domain: true,
        port: true,
        status: true,
        message: true,
        expires_at: true,
        issuer: true,
        last_check_at: true,
        last_error: true,
      })
      .nullable(),
    next: z
      .array(z.object({ tool: ours, id: z.union([z.number().int(), z.uuid()]).nullable(), why: ours }))
      .describe("tools that show more, with the id to pass to them"),
  });
}
export type Explanation = z.infer<ReturnType<typeof explainSchemas>["output"]>;

/** What what_changed takes and answers. */
export function changesSchemas() {
  const ours = ownText();
  const evidence = evidenceSchema();
  const input = z.strictObject({
    since: z
      .string()
      .max(40)
      .default("24h")
      .describe("How far back: `30m`, `24h`, `7d`, or a moment with its zone (`2026-03-01T12:00:00Z`). At most 30 days."),
    until: z
      .string()
      .max(40)
      .optional()
      .describe("Only what changed up to this moment, with its zone; give it again with each cursor. Left out: up to now."),
    agent_id: agentId,
    kinds: z
      .array(z.enum(CHANGE_KINDS))
      .min(1)
      .max(CHANGE_KINDS.length)
      .optional()
      .describe("Only changes of these kinds; give them again with each cursor. Left out: all."),
    ...paging(),
  });
  const output = z.object({
    since: moment,
    counts: z
      .array(z.object({ kind: z.enum(CHANGE_KINDS), count: z.number().int(), more: z.boolean() }))
      .describe(`how many of each kind that was asked for there are since then; \`more\`: counted no further than ${COUNTED_UP_TO}`),
    changes: z
      .array(
        z.object({
          at: moment,
          kind: z.enum(CHANGE_KINDS),
          what: ours,
          entity: entitySchema(),
          from: z.string().nullable().describe("of another image: the one before"),
          to: z.string().nullable(),
          evidence,
          agent_id: z.uuid().nullable().describe("null: the local host"),
        }),
      )
      .describe("newest first"),
    notes: z.array(ours),
    ...pageEnd,
    total: z.number().int().describe(`How many there are in all; of each kind no more than ${COUNTED_UP_TO} are counted.`),
  });
  return { input, output };
}
export type ChangesInput = z.output<ReturnType<typeof changesSchemas>["input"]>;
export type Changes = z.infer<ReturnType<typeof changesSchemas>["output"]>;
