import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ClusterRecord, NodeRecord } from "../../../src/monitoring/swarm/answers.ts";
import { asObserved, nodeStatus, observedBy } from "./service-status.ts";

const node = (facts: Partial<NodeRecord>): NodeRecord =>
  ({ state: "ready", availability: "active", message: null, reachability: null, ...facts }) as NodeRecord;

describe("a status of a swarm that no manager shows", () => {
  const clusters = [
    { id: "seen", observed: true },
    { id: "lost", observed: false },
  ] as ClusterRecord[];

  it("is found by its cluster", () => {
    const isObserved = observedBy(clusters);
    assert.deepEqual(
      ["seen", "lost"].map((id) => isObserved({ cluster_id: id })),
      [true, false],
    );
  });

  it("is the last known, and not healthy", () => {
    const seen = asObserved(nodeStatus(node({})), true);
    const lost = asObserved(nodeStatus(node({})), false);
    assert.deepEqual([seen.status, seen.word], ["ok", "Ready"]);
    assert.deepEqual([lost.status, lost.word], ["idle", "Last known: Ready"]);
  });

  it("stays wrong where it was wrong", () => {
    const lost = asObserved(nodeStatus(node({ state: "down", message: "heartbeat failure" })), false);
    assert.deepEqual([lost.status, lost.word, lost.cause], ["down", "Last known: Down", "heartbeat failure"]);
  });
});
