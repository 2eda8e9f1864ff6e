import { z } from "zod";
import { alert } from "../../../alerting/alerts/api.ts";
import { timestamp } from "../../../http/schemas.ts";
import { CHANGE_KINDS } from "../../../contract/change-kinds.ts";
import { ENTITY_TYPES, EVIDENCE_KINDS } from "../evidence.ts";

// What the page of an alert and an assistant both get, in the same sentences. Each is made when it is first needed.

/** What can precede an alert: whatever can change, and a container that was re-created from the same image. */
const PRECEDING_KINDS = [...CHANGE_KINDS, "recreated"] as const;

/** A sentence or a word that the program wrote itself. */
export function ownText() {
  return z.string().meta({ ours: true });
}

export function evidenceSchema() {
  return z.object({
    kind: z.enum(EVIDENCE_KINDS),
    id: z.union([z.number().int(), z.uuid()]).meta({ description: "of `samples`: the container's id" }),
    at: timestamp.nullable(),
  });
}

/** What a change happened to. */
export function entitySchema() {
  return z.object({
    type: z.enum(ENTITY_TYPES),
    id: z.union([z.number().int(), z.uuid(), z.literal("local")]).nullable(),
    name: z.string(),
  });
}

export function findingsSchema() {
  return z
    .array(z.object({ claim: ownText(), evidence: z.array(evidenceSchema()).min(1) }))
    .meta({ description: "what records show, each sentence with the records it rests on: cite them" });
}

/** What was around an alert. */
export function aroundFields() {
  return {
    logs: logsSchema(),
    health_check: healthCheckSchema(),
    metrics: usageSchema(),
    response_times: responsesSchema(),
    preceding: precedingSchema().meta({ description: "what changed on its host in the hour before the moment" }),
    earlier: earlierSchema().meta({ description: "when the same problem of the same thing fired before" }),
    next_escalation: nextEscalationSchema(),
  };
}

function logsSchema() {
  return z.array(
    z.object({
      of: z.enum(["before_end", "now"]),
      transition_id: z.number().int().nullable().meta({ description: "the end before which this was written" }),
      lines: z.array(z.string()).meta({ description: "the last ones, oldest first" }),
    }),
  );
}

function healthCheckSchema() {
  return z
    .object({
      transition_id: z.number().int().meta({ description: "the change at which it turned unhealthy" }),
      exit_code: z.number().int().meta({ description: "negative: it was not run to its end, such as after its timeout" }),
      lines: z.array(z.string()).meta({ description: "the last ones that it printed, oldest first" }),
      ended_at: timestamp,
    })
    .nullable()
    .meta({
      description:
        "the failed run of the container's health check by which it turned unhealthy; null where there was none, or it is not known",
    });
}

function usageSchema() {
  const amount = z.number().nullable();
  return z
    .object({
      container_id: z.number().int(),
      step_seconds: z.number().int(),
      cpu_percent_max: amount,
      memory_bytes_max: amount,
      memory_percent_max: amount.meta({ description: "of its limit, or of the host's memory without one" }),
      points: z.array(z.object({ at: timestamp, cpu_percent: amount, memory_bytes: amount, memory_limit_bytes: amount })),
    })
    .nullable()
    .meta({ description: "what the container used from 15 minutes before the moment to 5 after: the maximum of each step" });
}

function responsesSchema() {
  const milliseconds = z.array(z.number().nullable());
  const counts = z.array(z.number().int());
  return z
    .object({
      endpoint_id: z.number().int(),
      step_seconds: z.number().int(),
      series: z
        .object({
          timestamps: z.array(timestamp),
          response_time_ms: milliseconds.meta({ description: "mean of the checks that were answered" }),
          response_time_ms_max: milliseconds,
          checks: counts,
          failures: counts,
        })
        .meta({ description: "one value a step in each; null where no check was answered" }),
    })
    .nullable()
    .meta({
      description:
        "how fast the endpoint answered from an hour before the moment, or 12 checks, to 15 minutes after; null where no check is kept",
    });
}

function precedingSchema() {
  return z.object({
    changes: z
      .array(
        z.object({
          at: timestamp,
          kind: z.enum(PRECEDING_KINDS),
          what: ownText(),
          entity: entitySchema(),
          from: z.string().nullable().meta({ description: "of another image: the one before" }),
          to: z.string().nullable(),
          count: z
            .number()
            .int()
            .meta({ description: "how often something of this kind happened to it in that hour; this is the latest time" }),
          is_own: z.boolean().meta({ description: "it happened to what the alert is about, or to what runs it" }),
          evidence: evidenceSchema(),
        }),
      )
      .meta({ description: "newest first" }),
    total: z.number().int().meta({ description: "how many there are, those left out too" }),
  });
}

function earlierSchema() {
  return z.object({
    alerts: z
      .array(alert.pick({ id: true, severity: true, fired_at: true, resolved_at: true, acknowledged_at: true, acknowledged_by: true }))
      .meta({ description: "the latest times, newest first" }),
    total: z.number().int(),
  });
}

function nextEscalationSchema() {
  return z
    .object({
      run_id: z.number().int(),
      policy: z.string(),
      level: z.number().int().meta({ description: "counted from 1" }),
      levels: z.number().int(),
      at: timestamp,
      channels: z.array(z.string()),
    })
    .nullable()
    .meta({ description: "who is notified next unless somebody acknowledges; null: nobody" });
}
