import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilityName } from "./capability-name.ts";

test("capabilities are named for people", () => {
  const cases = {
    history_24h: "History of 24 h",
    channel_slack: "Slack channel",
    channel_email: "Email channel",
    cve_enrichment: "CVE enrichment",
    server_mode: "Server mode",
    agents: "Agents",
  };
  for (const [name, expected] of Object.entries(cases)) assert.equal(capabilityName(name), expected);
});
