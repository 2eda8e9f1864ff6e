/** What the web app checks itself, since it may not take the server's code, is what the server checks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { thresholdsBody } from "../src/monitoring/resources/api.ts";
import { tokenBody } from "../src/fleet/enrollment/api.ts";
import { readDraft } from "../web/src/entities/thresholds/draft.ts";
import { readEnrollDraft } from "../web/src/pages/hosts/draft.ts";
import { fc } from "./support/seed.ts";

test("thresholds: the form takes what the server takes, and nothing else", () => {
  const whole = fc.integer({ min: -1, max: 102 });
  const hundredths = fc.integer({ min: -200, max: 400_000 }).map((value) => value / 100);
  const number = fc.oneof(whole, hundredths).map(String);
  fc.assert(
    fc.property(number, number, number, (cpu, memory, debounce) => {
      const asked = readDraft({ cpu: { isOn: true, percent: cpu }, memory: { isOn: true, percent: memory }, debounce });
      const server = thresholdsBody.safeParse({
        cpu_threshold: Number(cpu),
        memory_threshold: Number(memory),
        debounce_seconds: Number(debounce),
      });
      assert.equal("body" in asked, server.success);
      if ("body" in asked) assert.deepEqual(asked.body, server.data);
    }),
    { numRuns: 500 },
  );
});

test("enrollment: the form takes what the server takes, and nothing else", () => {
  const label = fc.oneof(
    fc.constant(""),
    fc.string({ unit: "grapheme", maxLength: 70 }),
    fc.integer({ min: 60, max: 68 }).map((length) => "x".repeat(length)),
  );
  fc.assert(
    fc.property(label, fc.integer({ min: -1, max: 200 }), (typed, hours) => {
      const asked = readEnrollDraft({ label: typed, hours: String(hours) });
      const wished = typed.trim();
      const server = tokenBody.safeParse({ ttl_hours: hours, ...(wished !== "" && { label: wished }) });
      // What is nothing but signs that cannot be shown is cleaned away by the server alone.
      if (!server.success && "body" in asked) assert.equal(server.error.issues[0]?.message, "Must not be empty");
      else assert.equal("body" in asked, server.success, JSON.stringify(typed));
    }),
    { numRuns: 500 },
  );
});
