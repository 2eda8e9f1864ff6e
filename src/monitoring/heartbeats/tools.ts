import { z } from "zod";
import { HEARTBEAT_STATUSES } from "../../contract/heartbeat.ts";
import type { HeartbeatStatus } from "../../events.ts";
import { agentId, pageEnd, pageOf, paging } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { heartbeat } from "./answers.ts";
import type { SavedHeartbeat } from "./changes.ts";
import type { Projection } from "./projection.ts";
import { heartbeatRecord } from "./records.ts";

export interface HeartbeatToolParts {
  projection: Pick<Projection, "matching">;
  baseUrl: string;
}

/** What needs somebody stands first: what is wrong, also while the next run is under way. */
const NEED: Readonly<Record<HeartbeatStatus, number>> = { down: 1, new: 2, started: 3, up: 4, paused: 5 };

/** What an assistant can ask of heartbeats. The address that a job reports to is a credential, and not shown. */
export function heartbeatTools({ projection, baseUrl }: HeartbeatToolParts): Tool[] {
  const { timezone, cron } = heartbeat.shape;
  const short = heartbeat
    .pick({
      id: true,
      agent_id: true,
      name: true,
      tags: true,
      status: true,
      status_changed_at: true,
      reason: true,
      failing_since: true,
      last_ping_at: true,
      next_expected_at: true,
      next_deadline_at: true,
      current_run_started_at: true,
      last_exit_code: true,
      last_duration_ms: true,
      recent_outcomes: true,
      schedule: true,
      interval_seconds: true,
    })
    // Both were read as what they are, and hold no words of anybody.
    .extend({ cron: cron.meta({ ours: true }), timezone: timezone.meta({ ours: true }) });
  const count = z.number().int();

  return [
    tool({
      name: "list_heartbeats",
      title: "List heartbeats",
      description:
        "Scheduled jobs that report by themselves (backups, cron jobs): which are late or failed and why, when each reported last and when it is expected next. Those that need somebody come first.",
      input: z.strictObject({
        status: z.enum(HEARTBEAT_STATUSES).optional().describe("Only those with this status; `new`: it never reported."),
        search: z.string().max(255).optional().describe("Only those with this in their name or a tag, in any case."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({
        heartbeats: z.array(short),
        counts: z.object({ new: count, up: count, started: count, down: count, paused: count }).describe("Of all that match, by status."),
        ...pageEnd,
      }),
      handle({ limit, cursor, ...filter }) {
        const found = projection.matching(filter);
        const counts = { new: 0, up: 0, started: 0, down: 0, paused: 0 };
        for (const { status } of found) counts[status] += 1;
        const { page, end } = pageOf(
          found.toSorted((a, b) => needOf(a) - needOf(b)),
          { limit, cursor },
        );
        return { heartbeats: page.map((each) => short.parse(heartbeatRecord(each, baseUrl))), counts, ...end };
      },
    }),
  ];
}

function needOf({ status, failingSince }: SavedHeartbeat): number {
  return failingSince === null || status === "paused" ? NEED[status] : 0;
}
