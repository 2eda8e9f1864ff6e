import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";

/** A healthy running container for tests, with whatever differs. */
export function containerRecord(parts: Partial<ContainerRecord> = {}): ContainerRecord {
  const at = "2026-11-21T04:00:00.000Z";
  return {
    id: 1,
    agent_id: null,
    external_id: "0123456789abcdef",
    name: "web",
    image: "nginx:1.27",
    image_digest: null,
    state: "running",
    health: null,
    exit_code: null,
    oom_killed: false,
    error_detail: null,
    group: "shop",
    group_source: "compose",
    unit: null,
    is_ignored: false,
    restart_count: 0,
    restart_threshold: 3,
    restart_loop: null,
    alert_severity: "warning",
    alert_channels: [],
    alert_tags: [],
    label_errors: [],
    ports: [],
    network_mode: "bridge",
    privileged: false,
    labels: {},
    runtime: "docker",
    created_at: at,
    started_at: at,
    finished_at: null,
    first_seen_at: at,
    last_state_change_at: at,
    archived_at: null,
    resources: null,
    uptime_24h: 100,
    ...parts,
  };
}
