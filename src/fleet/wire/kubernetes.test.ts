import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubernetesObjects } from "../../../test/support/kubernetes-observations.ts";
import { fc } from "../../../test/support/seed.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesSighting,
} from "../../observations/kubernetes.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import { silentLog } from "../../platform/log.ts";
import { createListingRoom } from "../listener/assembly.ts";
import { createSightings } from "../listener/listings.ts";
import { readBatch, takeBatch } from "./batch.ts";
import { decodeAgentMessage } from "./decode.ts";
import { decodeEvent, encodeEvent } from "./event.ts";
import { noObjects } from "../../observations/kubernetes.ts";
import { encodeSighting } from "./kubernetes-parts.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";

const observedAt = new Date("2026-03-01T12:00:00Z");
const eventId = new Uint8Array(16);

function sighting(facts: Partial<KubernetesSighting>): KubernetesSighting {
  const nothing = { version: "v1.30.0", reason: null, unseen: [], removed: {}, objects: noObjects() };
  return { standing: "watching", clusterId: "c1", isComplete: true, ...nothing, ...facts };
}

/** As many objects as are asked for, made of random ones. */
function many<Kind extends keyof KubernetesObjects>(kind: Kind, count: number): KubernetesObjects[Kind][number][] {
  const [all = []] = fc.sample(
    kubernetesObjects.map((objects): KubernetesObjects[Kind][number][] => objects[kind]).filter((objects) => objects.length > 0),
    1,
  );
  const [one] = all;
  if (one === undefined) throw new Error("there is none");
  return Array.from({ length: count }, (_, index) => ({ ...one, id: `id-${index}` }));
}

/** What a server reads of what an agent sends. */
function sent(kubernetes: KubernetesSighting): { read: KubernetesSighting[]; messages: Uint8Array[]; cut: string[] } {
  let seq = 0;
  const clock = createFakeClock(observedAt);
  const sightings = createSightings({
    ...{ agentId: "a", room: createListingRoom(clock), onDropped: () => undefined },
    ...{ clock, log: silentLog },
  });
  const { events, cut } = encodeSighting(kubernetes, { observedAt, nextSeq: () => (seq += 1), eventId: () => eventId });
  const read: KubernetesSighting[] = [];
  const messages: Uint8Array[] = [];
  let waiting = events;
  while (waiting.length > 0) {
    const batch = takeBatch(waiting);
    assert.ok(batch);
    waiting = waiting.slice(batch.count);
    messages.push(batch.message);
    const body = decodeAgentMessage(batch.message);
    assert.equal(body.case, "batch");
    const { events: arrived, refused } = readBatch(body.value, {
      assembleKubernetes: (part) => sightings.take(part, batch.message.length),
    });
    assert.deepEqual(refused, []);
    for (const { observation } of arrived) if (observation.kind === "kubernetes.observed") read.push(observation.kubernetes);
  }
  return { read, messages, cut };
}

describe("a sighting of a cluster", () => {
  it("arrives whole when it needs many messages", () => {
    const objects = { ...noObjects(), pods: many("pods", 5000), workloads: many("workloads", 500), events: many("events", 3000) };
    const { read, messages, cut } = sent(sighting({ objects }));
    assert.ok(messages.length > 1, "it is in parts");
    assert.ok(messages.every(({ length }) => length < MAX_MESSAGE_BYTES / 4));
    assert.deepEqual(cut, []);
    assert.deepEqual(read, [sighting({ objects })]);
  });

  it("arrives in one message when there is no news", () => {
    const none = sighting({ isComplete: false });
    assert.deepEqual(sent(none).read, [none]);
  });

  it("keeps what was removed, in parts too", () => {
    const removed = { pods: Array.from({ length: 20_000 }, (_, index) => `0b9c54a0-0000-4000-8000-${String(index).padStart(12, "0")}`) };
    const changed = sighting({ isComplete: false, removed });
    const { read, messages } = sent(changed);
    assert.ok(messages.length > 1);
    assert.deepEqual(read, [changed]);
  });

  it("names a kind of which there are too many as not seen, so that none of them counts as gone", () => {
    const { read, cut } = sent(sighting({ objects: { ...noObjects(), namespaces: many("namespaces", 2001) } }));
    assert.deepEqual(cut, ["namespaces"]);
    assert.equal(read[0]?.objects.namespaces.length, 2000);
    assert.deepEqual(
      read[0]?.unseen.map(({ kind }) => kind),
      ["namespaces"],
    );
  });

  it("names a kind of which one is too large for a message as not seen", () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`label-${index}`, "x".repeat(8000)]));
    const [large] = many("workloads", 1);
    assert.ok(large);
    const { read, cut } = sent(sighting({ objects: { ...noObjects(), workloads: [{ ...large, labels }] } }));
    assert.deepEqual([cut, read[0]?.objects.workloads, read[0]?.unseen.map(({ kind }) => kind)], [["workloads"], [], ["workloads"]]);
  });
});

describe("a sighting of a stranger", () => {
  const bytesOf = (kubernetes: unknown): Uint8Array =>
    encodeEvent({
      ...{ seq: 1, eventId, replayed: false },
      // As a stranger would: of no type.
      observation: { kind: "kubernetes.observed", observedAt, kubernetes: kubernetes as KubernetesSighting },
    });
  const [pod] = many("pods", 1) as KubernetesPod[];
  const withPod = (facts: object): KubernetesSighting =>
    sighting({ objects: { ...noObjects(), pods: [{ ...pod, ...facts } as KubernetesPod] } });

  const REFUSED: readonly (readonly [what: string, sent: KubernetesSighting, error: RegExp])[] = [
    ["a list that is none", sighting({ objects: { ...noObjects(), pods: { length: 1 } as never } }), /objects\.pods is not a list/],
    ["content of more than 1 MiB", withPod({ message: "x".repeat(1024 * 1024) }), /content has more than/],
  ];
  for (const [what, bytes, error] of REFUSED)
    it(`is refused with ${what}`, () => {
      assert.throws(() => decodeEvent(bytesOf(bytes)), error);
    });

  const LEFT_OUT: readonly (readonly [what: string, facts: object, field: string])[] = [
    ["an id of 256 characters", { id: "a".repeat(256) }, "id"],
    ["an id with a line end", { id: "a\nb" }, "id"],
    ["a phase of the future", { phase: "Elsewhere" }, "phase"],
    ["containers that are none", { containers: "many" }, "containers"],
  ];
  for (const [what, facts, field] of LEFT_OUT)
    it(`loses one object alone with ${what}, and its kind is not seen`, () => {
      const objects = { ...noObjects(), pods: [{ ...pod, ...facts } as KubernetesPod, { ...pod, id: "other" } as KubernetesPod] };
      const read_ = read(sighting({ objects }));
      assert.deepEqual(
        read_.objects.pods.map(({ id }) => id),
        ["other"],
      );
      const reason = `1 of the objects that the agent sent cannot be read, the first because of ${field}.`;
      assert.deepEqual(read_.unseen, [{ kind: "pods", reason }]);
    });

  for (const startedAt of ["+300000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-02-31T99:00:00Z", "soon"])
    it(`has no start at ${startedAt}`, () => {
      assert.equal(read(withPod({ startedAt })).objects.pods[0]?.startedAt, null);
    });

  it("has no amount that cannot be held exactly, or is less than nothing", () => {
    const [claim] = many("claims", 1);
    const claims = [{ ...claim, id: "efs", capacityBytes: 2 ** 60, usedBytes: -1, sizeBytes: 9_223_372_036_853_727_232 }] as never;
    const { objects, unseen } = read(sighting({ objects: { ...noObjects(), claims } }));
    const [efs] = objects.claims;
    assert.deepEqual([efs?.capacityBytes, efs?.usedBytes, efs?.sizeBytes, unseen], [null, null, null, []]);
  });

  it("has no reference that cannot be an id", () => {
    assert.equal(read(withPod({ workloadId: "not a uid" })).objects.pods[0]?.workloadId, null);
    const removed = { pods: ["not a uid", "gone"] };
    assert.deepEqual(read(sighting({ isComplete: false, removed })).removed, { pods: ["gone"] });
  });

  it("names the kinds of which an object was left out in any of its parts", () => {
    const pods = many("pods", 5000).map((each, index) => (index < 4999 ? each : { ...each, phase: "Elsewhere" as never }));
    const [whole] = sent(sighting({ objects: { ...noObjects(), pods } })).read;
    assert.equal(whole?.objects.pods.length, 4999);
    assert.deepEqual(
      whole.unseen.map(({ kind }) => kind),
      ["pods"],
    );
  });

  /** The limits in docs/kubernetes.md. */
  const MOST: Readonly<Record<KubernetesObjectKind, number>> = {
    ...{ namespaces: 2000, nodes: 5000, workloads: 10_000, pods: 20_000 },
    ...{ services: 10_000, routes: 10_000, claims: 10_000, certificates: 10_000, events: 10_000 },
  };
  for (const kind of KUBERNETES_OBJECT_KINDS)
    it(`has at most ${MOST[kind]} ${kind}`, () => {
      const removing = (count: number) => bytesOf(sighting({ isComplete: false, removed: { [kind]: Array<string>(count).fill("a") } }));
      assert.doesNotThrow(() => decodeEvent(removing(MOST[kind])));
      assert.throws(() => decodeEvent(removing(MOST[kind] + 1)), new RegExp(`removed\\.${kind} has more than ${MOST[kind]} items`));
    });

  function read(kubernetes: unknown): KubernetesSighting {
    const { observation } = decodeEvent(bytesOf(kubernetes));
    assert.equal(observation.kind, "kubernetes.observed");
    return observation.kubernetes;
  }

  it("has its texts and lists cut, and its unknown fields left out", () => {
    const claims = Array.from({ length: 500 }, (_, index) => `claim-${index}`);
    const [kept] = read(withPod({ message: `\u001b[31m${"x".repeat(5000)}`, claims, evil: true })).objects.pods;
    assert.equal(kept?.message?.length, 1000);
    assert.ok(kept.message.startsWith("xxx"));
    assert.equal(kept.claims.length, 50);
    assert.equal("evil" in kept, false);
  });

  it("shows no objects unless it watches", () => {
    const objects = { ...noObjects(), pods: many("pods", 1) };
    const { objects: read_, isComplete } = read(sighting({ standing: "standby", reason: "Another agent watches.", objects }));
    assert.deepEqual([read_, isComplete], [noObjects(), false]);
  });

  it("names no kind that is not known", () => {
    const unseen = [
      { kind: "evil", reason: "x" },
      { kind: "pods", reason: "forbidden" },
    ] as never;
    assert.deepEqual(read(sighting({ unseen })).unseen, [{ kind: "pods", reason: "forbidden" }]);
    assert.ok(KUBERNETES_OBJECT_KINDS.length > 0);
  });
});
