import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { withServiceLabels } from "./task-containers.ts";

const settings = { ...defaultSettings, ignored: true, group: "shop", restartThreshold: 7, downAfterMs: 60_000 };
const labels = {
  "service.ignore": "true",
  "service.group": "shop",
  "service.alert.restart_threshold": "7",
  "service.alert.down": "1m",
  "service.endpoint.http": "http://web.test/",
  "service.certificate.domain": "web.test",
  team: "shop",
};

describe("labels of a service under those of a container", () => {
  it("say what the container's own do not", () => {
    const container = withServiceLabels(
      sighting({ labels: { "service.group": "own", own: "yes" }, settings: { ...defaultSettings, group: "own" } }),
      {
        labels,
        settings,
      },
    );
    assert.deepEqual(container.settings, { ...settings, group: "own" });
    assert.deepEqual(container.labels, {
      ...{ "service.ignore": "true", "service.alert.restart_threshold": "7", "service.alert.down": "1m" },
      ...{ "service.group": "own", own: "yes" },
    });
  });

  it("lose to an own one even where it says what holds without it", () => {
    const own = sighting({ labels: { "service.ignore": "false" } });
    assert.equal(withServiceLabels(own, { labels: { "service.ignore": "true" }, settings }).settings.ignored, false);
  });

  it("steer updates one by one", () => {
    const updates = { ...defaultSettings.updates, track: "patch" as const, pin: "1.2" };
    const own = sighting({
      labels: { "service.update.pin": "1.0" },
      settings: { ...defaultSettings, updates: { ...defaultSettings.updates, pin: "1.0" } },
    });
    const merged = withServiceLabels(own, {
      labels: { "service.update.track": "patch", "service.update.pin": "1.2" },
      settings: { ...defaultSettings, updates },
    });
    assert.deepEqual(merged.settings.updates, { ...updates, pin: "1.0" });
  });

  it("change nothing where the service has none for it", () => {
    const own = sighting();
    assert.equal(withServiceLabels(own, { labels: { team: "shop", "service.endpoint.tcp": "db:1" }, settings }), own);
  });
});
