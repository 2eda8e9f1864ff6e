import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubernetesObjects } from "../../test/support/kubernetes-observations.ts";
import { fc } from "../../test/support/seed.ts";
import { KUBERNETES_OBJECT_KINDS, type KubernetesObjects, type KubernetesSighting } from "../observations/kubernetes.ts";
import { joinSightings } from "./waiting-observations.ts";

const head = { standing: "watching", clusterId: "c1", version: null, reason: null, unseen: [] } as const;
const sighting = (facts: Partial<KubernetesSighting> & Pick<KubernetesSighting, "objects">): KubernetesSighting => ({
  ...head,
  unseen: [],
  isComplete: false,
  removed: {},
  ...facts,
});

/** What is known after these sightings, by kind and id. */
function known(sightings: readonly KubernetesSighting[]): Map<string, unknown> {
  const all = new Map<string, unknown>();
  for (const { objects, removed, isComplete } of sightings) {
    // Events are recorded, not held.
    if (isComplete) for (const key of all.keys()) if (!key.startsWith("events ")) all.delete(key);
    for (const kind of KUBERNETES_OBJECT_KINDS) {
      for (const each of objects[kind]) all.set(`${kind} ${each.id}`, each);
      for (const id of removed[kind] ?? []) all.delete(`${kind} ${id}`);
    }
  }
  return all;
}

describe("sightings of a cluster that wait", () => {
  const some = fc.tuple(kubernetesObjects, fc.boolean(), fc.boolean(), fc.nat());

  it("say the same as one, whatever came before", () => {
    fc.assert(
      fc.property(kubernetesObjects, some, some, (before, one, other) => {
        const base = sighting({ isComplete: true, objects: before });
        const made = ([objects, isComplete, removesPods]: typeof one, ofBefore: KubernetesObjects): KubernetesSighting =>
          sighting({
            objects,
            isComplete,
            removed: isComplete || !removesPods ? {} : { pods: ofBefore.pods.map(({ id }) => id) },
          });
        const [earlier, later] = [made(one, before), made(other, one[0])];
        const joined = joinSightings(earlier, later);
        assert.ok(joined);
        const sorted = (map: Map<string, unknown>): unknown => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(sorted(known([base, joined])), sorted(known([base, earlier, later])));
      }),
    );
  });

  it("stay apart where they are of two clusters, or one of them shows nothing", () => {
    const [objects] = fc.sample(kubernetesObjects, 1);
    assert.ok(objects);
    const shown = sighting({ objects });
    assert.equal(joinSightings(shown, { ...shown, clusterId: "c2" }), undefined);
    assert.equal(joinSightings(shown, { ...shown, standing: "unreachable" }), undefined);
  });
});
