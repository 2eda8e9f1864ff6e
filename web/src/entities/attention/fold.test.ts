import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { alertRecord } from "../alerts/record.fixture.ts";
import { alertAttention } from "./alert-attention.ts";
import { foldAttention } from "./fold.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";

function folded(...alerts: Partial<ShownAlert>[]) {
  const list = alertAttention(alerts.map((parts, index) => alertRecord({ id: index + 1, ...parts })));
  return foldAttention(list).map(({ alert, folded: below = [] }) => [
    alert?.id,
    ...below.flatMap(({ kind, list: ones }) => [kind, ones.map((one) => one.alert?.id)]),
  ]);
}

test("the same problem on several hosts is one row", () => {
  assert.deepEqual(folded({ agent_id: null }, { agent_id: A, entity_id: "2" }, { entity_name: "blog", agent_id: A, entity_id: "3" }), [
    [1, "hosts", [2]],
    [3],
  ]);
  // However bad it is on each: the worst stands above.
  assert.deepEqual(folded({ severity: "critical" }, { agent_id: A, severity: "warning" }), [[1, "hosts", [2]]]);
  // On one host they are two things that happen to be called alike.
  assert.equal(folded({}, { entity_id: "2" }).length, 2);
  // One that is acknowledged is not hidden below one that is not.
  assert.equal(folded({}, { agent_id: A, acknowledged_at: "2026-11-21T04:05:00.000Z" }).length, 2);
});

test("all that is wrong with one thing is one row, what it holds back too", () => {
  const endpoint = { source: "endpoint", event: "consecutive_failure", entity_type: "endpoint", entity_id: "9" } as const;
  const held = { ...endpoint, suppressed_by: "dependency", details: { container_id: 7 } } as const;
  const loop = { entity_id: "7", event: "restart_loop" };
  assert.deepEqual(folded({ entity_id: "7" }, { entity_id: "8" }, loop, held), [[1, "alerts", [3], "dependents", [4]], [2]]);
  // One that somebody has in hand hides none that nobody has.
  assert.equal(folded({ entity_id: "7" }, { ...loop, acknowledged_at: "2026-11-21T04:05:00.000Z" }).length, 2);
});

test("what fails because of something else stands below its cause, endpoints below their container", () => {
  const compose = (service: string, needs = ""): Record<string, string> => ({
    "com.docker.compose.project": "shop",
    "com.docker.compose.service": service,
    "com.docker.compose.depends_on": needs,
  });
  const at = (minute: number): string => `2026-11-21T04:0${minute}:00.000Z`;
  const payments: Partial<ShownAlert> = {
    ...{ entity_id: "7", event: "restart_loop", severity: "critical" },
    ...{ fired_at: at(1), labels: compose("payments", "postgres:service_started:false") },
  };
  const checkout: Partial<ShownAlert> = {
    ...{ entity_id: "6", event: "health_unhealthy", severity: "critical" },
    ...{ fired_at: at(2), labels: compose("checkout", "payments:service_started:false,postgres:service_started:false") },
  };
  const endpoint: Partial<ShownAlert> = {
    ...{ source: "endpoint", event: "consecutive_failure", entity_type: "endpoint", entity_id: "3" },
    ...{ fired_at: at(3), details: { container_id: 6 } },
  };
  assert.deepEqual(folded(endpoint, checkout, payments), [[3, "consequences", [2, 1]]]);
  assert.deepEqual(folded(endpoint, checkout), [[2, "consequences", [1]]]);
  // What failed later is no cause, nor what it does not need, nor what is on another host.
  assert.equal(folded(checkout, { ...payments, fired_at: at(3) }).length, 2);
  assert.equal(folded(checkout, { ...payments, labels: compose("search") }).length, 2);
  assert.equal(folded(checkout, { ...payments, agent_id: A }).length, 2);
  // One that somebody has in hand hides none that nobody has.
  assert.equal(folded(checkout, { ...payments, acknowledged_at: at(4) }).length, 2);
});

test("what a parent holds back stands below it", () => {
  const host = { source: "agent", event: "runtime_lost", entity_type: "host", entity_id: "local", severity: "critical" } as const;
  const endpoint = {
    source: "endpoint",
    event: "consecutive_failure",
    entity_type: "endpoint",
    suppressed_by: "dependency",
    details: { container_id: 7 },
  } as const;
  assert.deepEqual(folded(host, { entity_id: "7" }, { ...endpoint, entity_id: "9" }, { entity_id: "8", suppressed_by: "dependency" }), [
    [1, "dependents", [4]],
    [2, "dependents", [3]],
  ]);
  // Its parent is not shown here: it stays a row.
  assert.deepEqual(folded({ ...endpoint, entity_id: "9" }), [[1]]);
});
