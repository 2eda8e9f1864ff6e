import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfig } from "../config/config.ts";
import { openBindWarning } from "./open-bind.ts";

for (const [what, env, isOpen] of [
  ["loopback", { SERVICE_ADDR: "127.0.0.1:8080" }, false],
  ["localhost", { SERVICE_ADDR: "localhost:8080" }, false],
  ["all addresses", { SERVICE_ADDR: "0.0.0.0:8080" }, true],
  ["all IPv6 addresses", { SERVICE_ADDR: "[::]:8080" }, true],
  ["all addresses with a token", { SERVICE_ADDR: "0.0.0.0:8080", SERVICE_ADMIN_TOKEN: "sixteen-characters-or-more" }, false],
  ["all addresses with a proxy", { SERVICE_ADDR: "0.0.0.0:8080", SERVICE_TRUSTED_PROXIES: "172.18.0.0/16" }, false],
] as const) {
  test(`${what}: ${isOpen ? "a warning" : "none"}`, () => {
    const start = parseConfig({ argv: [], env });
    assert.ok("config" in start);
    const warning = openBindWarning(start.config);
    assert.equal(warning !== undefined, isOpen);
    if (isOpen) assert.match(warning ?? "", /SERVICE_ADMIN_TOKEN.*SERVICE_TRUSTED_PROXIES/);
  });
}
