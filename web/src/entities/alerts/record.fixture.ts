import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";

/** An active alert of a container, for tests, with whatever differs. */
export function alertRecord(parts: Partial<ShownAlert> = {}): ShownAlert {
  const at = "2026-11-21T04:00:00.000Z";
  return {
    id: 1,
    agent_id: null,
    source: "container",
    event: "restart_loop",
    severity: "warning",
    status: "active",
    message: "shop is crash-looping: 4 restarts in 10 min.",
    cause: "exit 137, OOM killed",
    entity_type: "container",
    entity_id: "1",
    entity_name: "shop",
    labels: {},
    tags: [],
    details: {},
    suppressed_by: null,
    fired_at: at,
    last_raised_at: at,
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_note: null,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    not_seen_since: null,
    silenced_until: null,
    url: "http://127.0.0.1:8080/alerts/1",
    ...parts,
  };
}
