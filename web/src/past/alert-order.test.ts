import assert from "node:assert/strict";
import { it } from "node:test";
import type { MomentAlert } from "../../../src/publishing/overview/moment/answers.ts";
import { byImpact } from "./alert-order.ts";

const alert = (id: number, facts: Partial<MomentAlert>): MomentAlert => ({
  ...{ id, agent_id: null, source: "certificate", event: "expiring", severity: "critical", entity_type: "certificate", entity_id: "1" },
  ...{ entity_name: "web.test", message: "", cause: null, fired_at: "2026-11-27T09:00:00.000Z", acknowledged_at: null, resolved_at: null },
  ...facts,
});

it("ranks a certificate that still works below an outage, and above a notice", () => {
  const alerts = [
    alert(1, {}),
    alert(2, { source: "container", event: "down", severity: "info" }),
    alert(3, { event: "expired" }),
    alert(4, { event: "unreachable", severity: "warning", fired_at: "2026-11-27T10:00:00.000Z" }),
    alert(5, { event: "expired", acknowledged_at: "2026-11-27T09:30:00.000Z" }),
    alert(6, { source: "security", event: "dangerous_configuration" }),
    alert(7, { event: "chain_invalid", fired_at: "2026-11-27T08:00:00.000Z" }),
  ];
  assert.deepEqual(
    byImpact(alerts).map(({ id }) => id),
    [3, 7, 4, 1, 2, 6, 5],
  );
});
