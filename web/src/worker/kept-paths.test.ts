import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isKept, withoutCredentials } from "./kept-paths.ts";

describe("what the browser keeps for when the server cannot be reached", () => {
  it("is lists without filters, and their further pages", () => {
    for (const [path, kept] of [
      ["/api/v1/containers", true],
      ["/api/v1/containers?cursor=abc", true],
      ["/api/v1/containers?archived=true", false],
      ["/api/v1/containers/7", false],
      ["/api/v1/containers/7/logs", false],
      ["/api/v1/alerts/active", true],
      ["/api/v1/alerts/active/context", false],
      ["/api/v1/channels", false],
      ["/api/v1/webhooks", false],
      ["/api/v1/agents/enrollment-tokens", false],
      ["/api/v1/audit", false],
    ] as const) {
      assert.equal(isKept(new URL(path, "https://monitor.example")), kept, path);
    }
  });

  it("lets nobody ping a heartbeat", () => {
    const uuid = "5f2b8d8e-7a53-4a5c-9c1c-0d6a4e1c9b11";
    const body = JSON.stringify({ heartbeats: [{ id: 1, uuid, ping_url: `https://monitor.example/ping/${uuid}`, name: "backup" }] });
    const kept = withoutCredentials(body);
    assert.ok(!kept.includes(uuid));
    assert.match(kept, /"id":1.*"name":"backup"/);
  });
});
