import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultSettings } from "../../../../test/support/sightings.ts";
import type { SavedContainer } from "../../containers/index.ts";
import { sighting } from "../../../../test/support/sightings.ts";
import { goneRun, runNameOf, sameImage, stepOf } from "./image-run.ts";

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute));

function container(id: number, facts: Partial<SavedContainer> = {}): SavedContainer {
  const { project: _p, endpoints: _e, certificates: _c, stopRequested, ...seen } = sighting();
  return {
    ...seen,
    id,
    agentId: null,
    group: "Ungrouped",
    groupSource: "default",
    stopRequested,
    restartHistory: { restarts: [], loop: null },
    externalId: String(id),
    identity: "name:web",
    generation: 1,
    recreatedAt: null,
    removedAt: null,
    imageId: "sha256:1",
    createdAt: at(id),
    startedAt: at(id),
    firstSeenAt: at(id),
    lastObservedAt: at(id),
    lastStateChangeAt: at(id),
    archivedAt: null,
    ...facts,
  };
}

function firstRun(facts: Partial<SavedContainer> = {}) {
  const step = stepOf(undefined, container(1, facts), undefined);
  if (step === undefined) throw new Error("it is not followed");
  return step.next;
}

describe("which image runs under a name", () => {
  it("has names that stay while a container is replaced", () => {
    const named = (name: string, facts: Partial<SavedContainer> = {}) => runNameOf({ ...container(1), name, ...facts });
    assert.equal(named("shop-web-1"), "shop-web-1");
    assert.equal(named("0123456789ab_shop-web-1"), undefined);
    assert.equal(named(`shop_web.1.${"a1".repeat(12)}b`), "shop_web.1");
    assert.equal(named("web", { state: "created" }), undefined);
    assert.equal(named("web", { settings: { ...defaultSettings, ignored: true } }), undefined);
  });

  it("knows the same image by its id, else its digest, else its name", () => {
    const image = (imageId: string | null, imageDigest: string | null, name = "a") => ({ imageId, imageDigest, image: name });
    assert.equal(sameImage(image("1", "x"), image("1", "y", "b")), true);
    assert.equal(sameImage(image("1", "x"), image("2", "x")), false);
    assert.equal(sameImage(image(null, "x"), image("2", "x", "b")), true);
    assert.equal(sameImage(image(null, "x"), image(null, "y")), false);
    assert.equal(sameImage(image(null, null), image("2", "y")), true);
    assert.equal(sameImage(image(null, null), image(null, null, "b")), false);
  });

  it("is news only when another image was started later, or alone has the name", () => {
    const run = firstRun();
    const holder = container(1);
    const other = (facts: Partial<SavedContainer> = {}) => container(2, { imageId: "sha256:2", ...facts });
    assert.equal(stepOf(run, other(), holder)?.kind, "changed");
    assert.equal(stepOf(run, container(2), holder)?.kind, "continued");
    assert.equal(stepOf(run, other({ startedAt: at(0) }), holder), undefined, "the end of an older one of a rolling update");
    assert.equal(stepOf(run, other({ startedAt: at(0) }), undefined)?.kind, "changed", "an older one that ran on, and got the name");
    assert.equal(stepOf(run, other({ startedAt: at(0), state: "exited" }), undefined), undefined, "a name alone runs nothing");
    assert.equal(stepOf(run, other({ settings: { ...defaultSettings, ignored: true } }), holder), undefined);
  });

  it("does not take what is learnt of an engine's container for another image, but of a workload's", () => {
    const run = firstRun({ imageId: null, imageDigest: "sha256:x" });
    const learnt = { imageId: null, imageDigest: "sha256:y" };
    assert.equal(stepOf(run, container(1, learnt), container(1))?.kind, "continued");
    assert.equal(stepOf(run, container(1, { ...learnt, runtime: "kubernetes" }), container(1))?.kind, "changed");
    assert.equal(stepOf(run, container(1, { imageId: null, imageDigest: null, runtime: "kubernetes" }), container(1)), undefined);
  });

  it("says nothing of a restart, and comes back from where it was gone", () => {
    const run = firstRun();
    assert.equal(stepOf(run, container(1, { startedAt: at(5) }), container(1)), undefined);
    const back = stepOf(goneRun(run, at(3)), container(1), container(1));
    assert.deepEqual([back?.kind, back?.next.goneAt], ["continued", null]);
    let kept = run;
    for (let id = 2; id < 12; id += 1) kept = stepOf(kept, container(id), undefined)?.next ?? kept;
    assert.deepEqual(kept.containerIds, [7, 8, 9, 10, 11]);
    assert.deepEqual(kept.since, at(1));
  });
});
