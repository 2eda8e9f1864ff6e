import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { podRecord } from "../../../entities/kubernetes/record.fixture.ts";
import { nodeBranches, nodesLeftOut } from "./branches.ts";
import { autoscalerText, jobText, rolloutText, securityNotes } from "./facts.ts";

describe("the tree of a workload", () => {
  it("has its pods by node, those on none first, and no more than can be read", () => {
    const pods = [
      ...Array.from({ length: 7 }, (_, index) => podRecord({ name: `a-${index}`, node_name: "node-1" })),
      podRecord({ name: "waits", node_name: null }),
      podRecord({ name: "b", node_name: "node-2" }),
    ];
    assert.deepEqual(
      nodeBranches(pods).map(({ nodeName, pods: drawn, hidden }) => [nodeName, drawn.length, hidden]),
      [
        [null, 1, 0],
        ["node-1", 5, 2],
        ["node-2", 1, 0],
      ],
    );
    assert.equal(nodesLeftOut(pods), 0);
  });

  it("says on how many nodes more there are pods", () => {
    const pods = Array.from({ length: 20 }, (_, index) => podRecord({ name: `p-${index}`, node_name: `node-${index}` }));
    assert.equal(nodeBranches(pods).length + nodesLeftOut(pods), 20);
    assert.ok(nodesLeftOut(pods) > 0);
  });
});

describe("the facts of a workload", () => {
  it("say how far a rollout is", () => {
    const counts = { updated: 1, available: 2, desired: 3 };
    assert.equal(
      rolloutText({ ...counts, rollout: { state: "progressing", reason: null, message: null } }),
      "In progress: 1 of 3 updated, 2 available",
    );
    assert.equal(rolloutText({ ...counts, rollout: { state: "complete", reason: null, message: null } }), "Complete");
    assert.equal(rolloutText({ ...counts, rollout: null }), "");
  });

  it("say what an autoscaler wants", () => {
    const scaler = { name: "web", min: 2, max: 6, current: 3, desired: 3, at_limit: false, problem: null };
    assert.equal(autoscalerText(scaler), "3 pods, between 2 and 6");
    assert.equal(autoscalerText({ ...scaler, desired: 6, at_limit: true }), "3 pods, between 2 and 6, wants 6, at its limit");
  });

  it("say how a job came out", () => {
    const job = { completions: null, active: 0, succeeded: 0, failed: 4, started_at: null, completed_at: null, message: null };
    assert.equal(
      jobText({ ...job, outcome: "failed", reason: "BackoffLimitExceeded" }),
      "Failed: BackoffLimitExceeded · 0 of 1 succeeded, 4 failed",
    );
    assert.equal(
      jobText({ ...job, completions: 5, active: 2, succeeded: 3, failed: 0, outcome: "running", reason: null }),
      "Running · 3 of 5 succeeded, 2 active",
    );
  });

  it("name each risk of the pod template once, and none where there is none", () => {
    const safe = {
      privileged: [],
      host_network: false,
      host_pid: false,
      host_ipc: false,
      host_paths: [],
      host_ports: [],
      runs_as_root: [],
      without_memory_limit: [],
      without_cpu_limit: [],
      added_capabilities: [],
      service_account: "default",
      automounts_token: true,
      latest_tag: [],
      namespace_level: null,
    };
    assert.deepEqual(securityNotes(safe), []);
    assert.deepEqual(
      securityNotes({
        ...safe,
        privileged: ["a", "b", "c"],
        host_network: true,
        host_pid: true,
        host_ports: [{ container: "a", port: 53, protocol: "udp" }],
      }),
      ["Privileged: a, b and c", "Shared with the node: network and process IDs", "Ports of the node: 53/udp"],
    );
  });
});
