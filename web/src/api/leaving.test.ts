import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { deleteEndpoint } from "./endpoint-queries.ts";
import { deleteHeartbeat } from "./heartbeat-queries.ts";
import { acknowledgeFindings } from "./security.ts";

test("what is sent when the page is left is sent to its end", async (t) => {
  const sent: (RequestInit | undefined)[] = [];
  mock.method(globalThis, "fetch", (_url: string, options?: RequestInit) => {
    sent.push(options);
    return Promise.resolve(new Response('{"acknowledgments":[],"skipped":[]}', { headers: { "content-type": "application/json" } }));
  });
  t.after(() => mock.restoreAll());
  const findings = [{ container_id: 1, finding_type: "runs_as_root", finding_key: "" }] as const;
  const person = { acknowledged_by: "Ada", reason: "Known" };
  await Promise.all([deleteEndpoint(1), deleteHeartbeat(1), acknowledgeFindings({ findings: [...findings], ...person })]);
  assert.deepEqual(
    sent.map((options) => options?.keepalive),
    [true, true, true],
  );
});
