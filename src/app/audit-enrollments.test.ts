import assert from "node:assert/strict";
import { it } from "node:test";
import type { Event } from "../events.ts";
import type { AuditedOperation } from "../http/audit.ts";
import { createBus } from "../platform/bus.ts";
import { silentLog } from "../platform/log.ts";
import { auditEnrollments } from "./audit-enrollments.ts";

it("an agent that enrolls is in the audit log", () => {
  const bus = createBus<Event>(silentLog);
  const kept: AuditedOperation[] = [];
  const stop = auditEnrollments(bus, { record: async (operation) => void kept.push(operation) });
  const agent = { id: "6f1c0f5e-0d3b-4c57-9a55-3f6f0d2b7a10", name: "garage", hostname: "pi", timestamp: "2026-03-01T12:00:00.000Z" };
  const data = { ...agent, agent_id: agent.id, status: "active", connection_state: "connected" } as const;
  bus.publish({ type: "agent.created", data });
  bus.publish({ type: "agent.deleted", data });
  stop();
  bus.publish({ type: "agent.created", data });
  assert.deepEqual(
    kept.map(({ actor, operation, entity }) => [actor.kind, operation, entity]),
    [["system", "enroll_agent", { type: "agent", id: agent.id, name: "garage" }]],
  );
});
