import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilityGroups } from "./capability-groups.ts";

const capability = (name: string, edition: "community" | "personal" | "pro") => ({
  ...{ name, granted: edition === "community" },
  required_edition: edition,
});

test("what editions grant is a row for each area, with what others add", () => {
  const groups = capabilityGroups([
    ...[capability("embedded_mode", "community"), capability("history_1h", "community"), capability("channel_webhook", "community")],
    ...[capability("server_mode", "personal"), capability("security_posture", "personal"), capability("history_24h", "pro")],
    ...[capability("history_7d", "pro"), capability("channel_slack", "pro"), capability("security_posture_page", "pro")],
  ]);
  assert.deepEqual(groups[0], { title: "Hosts", granted: ["Embedded mode"], missing: [{ edition: "personal", names: ["Server mode"] }] });
  assert.deepEqual(groups[1], { title: "History", granted: ["1 h"], missing: [{ edition: "pro", names: ["24 h", "7 d"] }] });
  assert.deepEqual(groups[3]?.missing, [
    { edition: "personal", names: ["Security posture"] },
    { edition: "pro", names: ["Security posture page"] },
  ]);
  // What no capability names comes with every edition.
  assert.ok(["Webhook", "ntfy", "Telegram", "PagerDuty"].every((name) => groups[2]?.granted.includes(name)));
  assert.deepEqual(groups[2]?.missing, [{ edition: "pro", names: ["Slack"] }]);
});
