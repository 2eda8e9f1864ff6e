import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { createMemoryRegistries, memoryReaders } from "../../../test/support/updates.ts";
import type { SavedContainer } from "../containers/index.ts";
import { applySighting } from "../containers/sightings.ts";
import { checkImage } from "./check-image.ts";
import { surveyOf } from "./questions.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const signal = new AbortController().signal;

function container(image: string, facts: { imageId?: string; registry?: string } = {}): SavedContainer {
  const { imageId = null, registry = null } = facts;
  const settings = { ...defaultSettings, updates: { ...defaultSettings.updates, registry } };
  const seen = sighting({ image, imageDigest: imageId, imageId, imagePlatform: null, settings });
  const decision = applySighting(undefined, { sighting: seen, observedAt: NOW, source: "news", agentId: null });
  assert.ok(decision);
  return { ...decision.next, id: 1 };
}

describe("questions about images", () => {
  const memory = createMemoryRegistries();
  const readers = memoryReaders(memory, createFakeClock(NOW));

  it("are not asked of what Podman built here", () => {
    const { questions, unaskable } = surveyOf([container("localhost/shop/web:1")], readers);
    assert.deepEqual([questions.length, unaskable.map(({ error, note }) => [error, note])], [0, [[null, "It was built on its host."]]]);
    const named = surveyOf([container("localhost:5000/web:1"), container("localhost/web:1", { registry: "mirror.test" })], readers);
    assert.equal(named.questions.length, 2);
  });

  it("do not take an image whose platform is unknown for one that is gone", async () => {
    memory.push("docker.io/library/web:1", { content: "one", platform: "linux/amd64" }, { content: "two", platform: "linux/arm64" });
    const [question] = surveyOf([container("docker.io/library/web:1", { imageId: `sha256:${"a".repeat(64)}` })], readers).questions;
    assert.ok(question);
    const { note } = await checkImage({ readers, question, before: undefined, at: { scanId: "s", now: NOW.getTime() }, signal });
    assert.match(note ?? "", /does not say for which platform/);
  });
});
