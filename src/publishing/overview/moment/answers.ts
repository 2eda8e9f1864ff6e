import { z } from "zod";
import { ALERT_SOURCES, SEVERITIES } from "../../../contract/alert.ts";
import { CERTIFICATE_STATUSES } from "../../../contract/certificate.ts";
import { STRIP_STATES } from "../../../contract/strip.ts";
import { CONTAINER_STATES } from "../../../events.ts";
import { timestamp } from "../../../http/schemas.ts";
import { MOST_ALERTS } from "../limits.ts";

const host = z.uuid().nullable().meta({ description: "null: the local host" });

export const momentContainer = z.object({
  id: z.number().int(),
  agent_id: host.meta({ description: "where it was then; null: the local host" }),
  name: z.string().meta({ description: "the name that it has now, as has `group`" }),
  group: z.string(),
  image: z.string().meta({ description: "the one that it had then" }),
  status: z
    .enum(STRIP_STATES)
    .meta({ description: "as in strips; `unknown`: nobody watched its host then, and `state` is what was seen last" }),
  state: z.enum(CONTAINER_STATES),
  health: z.enum(["healthy", "unhealthy", "starting"]).nullable(),
  since: timestamp.nullable().meta({ description: "since when it was in that state; null: since before what is kept" }),
  exit_code: z.number().int().nullable(),
  oom_killed: z.boolean(),
  stop_requested: z.boolean(),
  removed_at: timestamp.nullable().meta({ description: "it was removed since; null: it is still there" }),
});
export type MomentContainer = z.infer<typeof momentContainer>;

export const momentAlert = z.object({
  id: z.number().int(),
  agent_id: host,
  source: z.enum(ALERT_SOURCES),
  event: z.string(),
  severity: z.enum(SEVERITIES).meta({ description: "the latest that it had, as are the words" }),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: z.string(),
  message: z.string(),
  cause: z.string().nullable(),
  fired_at: timestamp,
  acknowledged_at: timestamp.nullable().meta({ description: "null: nobody had acknowledged it then" }),
  resolved_at: timestamp.nullable().meta({ description: "when it was resolved since; null: it is still active" }),
});
export type MomentAlert = z.infer<typeof momentAlert>;

const pausedSince = timestamp.nullable().meta({ description: "null: it was not paused then" });
const knownSince = timestamp.nullable().meta({ description: "the first one that is kept; null: none is" });

export const momentEndpoint = z.object({
  id: z.number().int(),
  agent_id: host,
  name: z.string().meta({ description: "the name that it has now, as has `target`" }),
  target: z.string(),
  status: z.enum(STRIP_STATES).meta({
    description:
      "by its checks, which are kept for 30 days; `degraded`: it was up, and its certificate was not trusted or over within a week, by the checks of that; `stopped`: paused; `down` too while an alert about it was active; `unknown`: no check spoke for it then",
  }),
  status_reason: z.enum(["certificate_untrusted", "certificate_expiring"]).nullable().meta({ description: "why it was degraded" }),
  paused_since: pausedSince,
  last_check_at: timestamp.nullable().meta({ description: "the last check until then; null: none is known" }),
  response_time_ms: z.number().nullable(),
  error: z.string().nullable(),
  known_since: knownSince,
});
export type MomentEndpoint = z.infer<typeof momentEndpoint>;

export const momentHeartbeat = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(STRIP_STATES).meta({
    description:
      "by its pings, which are kept for 30 days, and its alerts; `stopped`: paused; `unknown`: no ping is known, or the next one was overdue without an alert. Never `degraded`",
  }),
  paused_since: pausedSince,
  last_ping_at: timestamp.nullable().meta({ description: "the last ping until then; null: none is known" }),
  known_since: knownSince,
});
export type MomentHeartbeat = z.infer<typeof momentHeartbeat>;

export const momentCertificate = z.object({
  id: z.number().int(),
  agent_id: host,
  name: z.string(),
  status: z.enum(CERTIFICATE_STATUSES).meta({ description: "that of the last check until then; `unknown`: none spoke for it" }),
  last_check_at: timestamp.nullable().meta({ description: "the last check until then; null: none is known" }),
  message: z.string().nullable().meta({ description: "what was wrong, in sentences; null when nothing was, or nothing is known" }),
  error: z.string().nullable().meta({ description: "why the last check saw no certificate" }),
  expires_at: timestamp.nullable().meta({ description: "of the certificate that was seen last until then" }),
  known_since: knownSince,
});
export type MomentCertificate = z.infer<typeof momentCertificate>;

const left = z.number().int().meta({ description: "how many more there were than `limit`" });
const counts = z.object({
  up: z.number().int(),
  degraded: z.number().int(),
  down: z.number().int(),
  stopped: z.number().int(),
  unknown: z.number().int(),
});

export const moment = z.object({
  at: timestamp,
  known_since: timestamp
    .nullable()
    .meta({ description: "the first moment of which anything is known; of one before it the lists are empty. null: nothing was seen yet" }),
  is_known: z.boolean().meta({ description: "false: the moment is before `known_since`" }),
  previous_change_at: timestamp
    .nullable()
    .meta({ description: "when something changed last before the moment, within 90 days; see /overview/changes" }),
  next_change_at: timestamp.nullable().meta({ description: "when something changed next after the moment; null: nothing has until now" }),
  hosts: z
    .array(
      z.object({
        agent_id: host,
        is_watched: z.boolean().meta({ description: "somebody watched it then" }),
        last_watched_at: timestamp.meta({ description: "when it was last watched until then" }),
      }),
    )
    .meta({ description: "those that had ever been watched until then" }),
  counts: counts.meta({ description: "of the containers" }),
  containers: z.array(momentContainer).meta({
    description: "that were there then, the worst first; `counts` are of all. Containers are known for 30 days after they were removed",
  }),
  left_out: z.number().int().meta({ description: "how many more containers there were than `limit`" }),
  endpoints: z
    .object({ counts, items: z.array(momentEndpoint), left_out: left })
    .meta({ description: "that are there now and were then, the worst first" }),
  heartbeats: z
    .object({ counts, items: z.array(momentHeartbeat), left_out: left })
    .meta({ description: "that are there now and were then, the worst first; none where one host is asked for" }),
  certificates: z
    .object({
      counts: z.object({
        expired: z.number().int(),
        chain_invalid: z.number().int(),
        unreachable: z.number().int(),
        expiring: z.number().int(),
        unknown: z.number().int(),
        valid: z.number().int(),
      }),
      items: z.array(momentCertificate),
      left_out: left,
    })
    .meta({ description: "that are watched now and were then, the worst first" }),
  alerts: z.array(momentAlert).meta({ description: `that were active then, the worst first; at most ${MOST_ALERTS}` }),
  alert_total: z.number().int(),
});
export type Moment = z.infer<typeof moment>;
