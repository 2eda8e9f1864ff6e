import type { UpdateRecord, UpdateSummary } from "../../../../src/monitoring/updates/answers.ts";

const AT = "2026-11-21T04:00:00.000Z";

/** A container with a newer minor version, for tests, with whatever differs. */
export function updateRecord(parts: Partial<UpdateRecord> = {}): UpdateRecord {
  return {
    id: 1,
    scan_id: null,
    container_id: 1,
    container_name: "web",
    agent_id: null,
    group: "shop",
    image: "nginx:1.25.3",
    registry: "docker.io",
    current_tag: "1.25.3",
    current_digest: `sha256:${"a".repeat(64)}`,
    available_tag: "1.27.0",
    available_digest: `sha256:${"b".repeat(64)}`,
    update_type: "minor",
    status: "available",
    status_reason: null,
    pinned_by: null,
    published_at: AT,
    source_url: null,
    changelog_url: null,
    changelog: null,
    risk_score: null,
    risk_level: null,
    risk_level_at_most: null,
    risk_parts: null,
    cves: null,
    update_command: null,
    rollback_command: null,
    comparison: null,
    detected_at: AT,
    checked_at: AT,
    check_error: null,
    ...parts,
  };
}

/** A summary in which nothing is known, with whatever differs. */
export function updateSummary({
  counts,
  ...parts
}: Partial<Omit<UpdateSummary, "counts">> & { counts?: Partial<UpdateSummary["counts"]> } = {}): UpdateSummary {
  return {
    last_scan_at: null,
    last_scan: null,
    next_scan_at: null,
    scanning: null,
    counts: { major: 0, minor: 0, patch: 0, digest: 0, pinned: 0, excluded: 0, up_to_date: 0, unknown: 0, ...counts },
    studying: null,
    fixing_critical: null,
    cve_counts: null,
    ...parts,
  };
}
