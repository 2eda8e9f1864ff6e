import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";

export function insightRecord(change: Partial<InsightRecord> = {}): InsightRecord {
  return {
    container_id: 1,
    container_name: "web",
    agent_id: null,
    image: "web:1",
    group: "Ungrouped",
    ecosystem: null,
    type: "privileged_container",
    finding_key: "",
    severity: "critical",
    category: "configuration",
    title: "Privileged container",
    what: "web runs in privileged mode.",
    why: "A break-out is root on the host.",
    fix: "Remove privileged.",
    snippet: null,
    bindings: [],
    database: null,
    since: "2026-03-01T12:00:00.000Z",
    acknowledgment: null,
    ...change,
  };
}
