import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHECK_SETTINGS, type CheckSetting, defaultsOf, HTTP_SETTINGS, namedSettingsOf, settingsOf } from "./check-settings.ts";

describe("the settings of checks", () => {
  it("have names that follow from their keys", () => {
    for (const [prefix, table] of [["endpoint.", CHECK_SETTINGS] as const, ["endpoint.http.", HTTP_SETTINGS] as const]) {
      for (const [key, { name, label }] of Object.entries<CheckSetting>(table)) {
        assert.equal(
          name.replace(/_./g, (pair) => pair.slice(1).toUpperCase()),
          key,
        );
        assert.equal(label, `${prefix}${name.replaceAll("_", "-")}`);
      }
    }
  });

  it("have defaults that are allowed", () => {
    for (const setting of [...Object.values(CHECK_SETTINGS), ...Object.values(HTTP_SETTINGS)])
      if (setting.kind === "number") assert.ok(setting.default >= setting.min && setting.default <= setting.max, setting.name);
  });

  it("are values by key inside, and by name in JSON", () => {
    assert.deepEqual(defaultsOf(CHECK_SETTINGS), { failureThreshold: 3, recoveryThreshold: 2 });
    assert.deepEqual(
      settingsOf(HTTP_SETTINGS, ({ name }) => name),
      { maxRedirects: "max_redirects", bodyContains: "body_contains", tlsVerify: "tls_verify" },
    );
    assert.deepEqual(namedSettingsOf(HTTP_SETTINGS, { ...defaultsOf(HTTP_SETTINGS), maxRedirects: 0 }), {
      max_redirects: 0,
      body_contains: null,
      tls_verify: true,
    });
    assert.deepEqual(namedSettingsOf(CHECK_SETTINGS, null), { failure_threshold: null, recovery_threshold: null });
  });
});
