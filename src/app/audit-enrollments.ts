import type { Event } from "../events.ts";
import type { AuditSink } from "../http/audit.ts";
import type { Bus } from "../platform/bus.ts";

/** Agents enroll by a token over a separate port and by no route, so this writes the audit entry. Returns how to stop. */
export function auditEnrollments(bus: Pick<Bus<Event>, "subscribe">, audit: AuditSink): () => void {
  return bus.subscribe("audit log", ({ type, data }) => {
    if (type !== "agent.created") return undefined;
    return audit.record({
      actor: { kind: "system", name: null },
      address: null,
      operation: "enroll_agent",
      entity: { type: "agent", id: data.id, name: data.name },
      outcome: "done",
      error: null,
      before: null,
      after: { label: data.name, hostname: data.hostname },
    });
  });
}
