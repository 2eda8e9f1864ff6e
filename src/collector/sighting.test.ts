import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeContainer } from "../../test/support/fake-runtime.ts";
import { STRICT_LABELS, toSighting } from "./sighting.ts";

const COMPOSE_FILES = "com.docker.compose.project.config_files";

describe("a sighting of a container whose labels come from its image", () => {
  const labels = {
    "service.endpoint.http": "http://127.0.0.1/",
    "service.endpoint.http.method": "head",
    "service.alert.severity": "info",
    "service.group": "shop",
    [COMPOSE_FILES]: "/etc/passwd",
    "com.example.team": "a",
  };
  const container = fakeContainer(1, { labels, imageLabels: ["service.endpoint.http", "service.alert.severity", COMPOSE_FILES] });

  it("has none of them, and says of each that it is ignored", () => {
    const seen = toSighting(container);
    assert.deepEqual(seen.endpoints, []);
    assert.equal(seen.settings.alertSeverity, "warning");
    assert.equal(seen.settings.group, "shop");
    assert.deepEqual(Object.keys(seen.labels), ["service.endpoint.http.method", "service.group", "com.example.team"]);
    assert.deepEqual(
      seen.labelErrors.slice(0, 2).map(({ label, message }) => [label, message]),
      ["service.endpoint.http", "service.alert.severity"].map((label) => [
        label,
        `${label} comes from the image and is ignored; write it on the container, or set SERVICE_IMAGE_LABELS=true.`,
      ]),
    );
    assert.ok(!("imageLabels" in seen));
  });

  it("has them where that is allowed, but never the paths of a Compose project", () => {
    const seen = toSighting(container, { ...STRICT_LABELS, imageLabels: true });
    assert.equal(seen.endpoints.length, 1);
    assert.equal(seen.settings.alertSeverity, "info");
    assert.deepEqual(seen.labelErrors, []);
    assert.equal(seen.labels[COMPOSE_FILES], undefined);
  });

  it("says so of a bounded number of them", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`service.endpoint.${index}.http`, "http://a/"]));
    assert.equal(toSighting(fakeContainer(1, { labels: many, imageLabels: Object.keys(many) })).labelErrors.length, 50);
  });
});
