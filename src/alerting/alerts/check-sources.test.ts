import assert from "node:assert/strict";
import { it } from "node:test";
import type { EventData } from "../../events.ts";
import { certificateRecovery } from "./check-sources.ts";

const ABOUT: Omit<EventData["certificate.recovery"], "alert" | "reason"> = {
  ...{ id: 9, agent_id: null, name: "shop.example", domain: "shop.example", port: 443, server_name: "shop.example" },
  ...{ source: "label", endpoint_id: null, container_id: 42, status: "unreachable", previous_status: "unreachable", message: null },
  ...{ expires_at: null, days_until_expiry: null, labels: {}, alert_severity: "critical", alert_channels: [], alert_tags: [] },
  timestamp: "2026-03-01T12:00:00.000Z",
};

for (const [reason, by, why] of [
  ["reached", "observation", "The host is reachable again."],
  ["changed", "user", "Its configuration changed."],
  ["removed", "removal", "Monitoring was removed."],
] as const)
  it(`the end of an alert about a certificate that could not be reached says that it was ${reason}`, () => {
    const [signal] = certificateRecovery({ ...ABOUT, alert: "unreachable", reason });
    assert.ok(signal?.kind === "clear");
    assert.deepEqual(signal.resolution, { by, reason: why });
  });
