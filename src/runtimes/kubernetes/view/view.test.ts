import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ApiObject,
  cronJob,
  deployment,
  job,
  metadataOf,
  pod,
  replicaSet,
  running,
  terminated,
  waiting,
} from "../../../../test/support/kubernetes-objects.ts";
import { RESOURCES, STORED_KINDS } from "../resources.ts";
import { createClusterView } from "./index.ts";
import type { StoredCluster, StoredKind } from "./stored.ts";

/** A cluster whose objects a test puts there. */
function world() {
  const kept = new Map(STORED_KINDS.map((kind) => [kind, new Map<string, unknown>()]));
  const absent = new Set<StoredKind>();
  const cluster = Object.fromEntries(
    STORED_KINDS.map((kind) => [
      kind,
      { items: () => kept.get(kind) ?? new Map(), isListed: () => !absent.has(kind), isAbsent: () => absent.has(kind) },
    ]),
  ) as unknown as StoredCluster;
  const view = createClusterView(cluster);

  function put<Given extends ApiObject>(kind: StoredKind, object: Given): Given {
    const parsed = RESOURCES[kind].schema.parse(object);
    kept.get(kind)?.set(object.metadata.uid, RESOURCES[kind].keep(parsed));
    view.touch(kind, object.metadata.uid);
    return object;
  }

  function remove(kind: StoredKind, { metadata }: ApiObject): void {
    kept.get(kind)?.delete(metadata.uid);
    view.touch(kind, metadata.uid);
  }

  const row = (name: string) => view.rows().find((each) => each.name === `shop/${name}`);
  return { view, put, remove, row, kept, deny: (kind: StoredKind) => void absent.add(kind) };
}

const metadataOnly = (name: string): ApiObject => ({ metadata: metadataOf({ name }) });

describe("a cluster as it is shown", () => {
  test("pods are of the workload at the top of their owners, whichever came first", () => {
    const { view, put } = world();
    const web = deployment({ name: "web" });
    const set = replicaSet({ name: "web-1", owner: web });
    const one = put("pods", pod({ name: "web-1-a", owner: set }));
    assert.equal(view.update().objects.pods[0]?.workloadId, null);
    put("replicaSets", set);
    put("deployments", web);
    const { objects } = view.update();
    assert.deepEqual(
      objects.pods.map(({ id, workloadId }) => [id, workloadId]),
      [[one.metadata.uid, web.metadata.uid]],
    );
    assert.deepEqual(
      objects.workloads.map(({ kind, name }) => `${kind}/${name}`),
      ["Deployment/web"],
    );
  });

  test("only what changed is published again", () => {
    const { view, put } = world();
    const web = put("deployments", deployment({ name: "web" }));
    view.update();
    put("deployments", web);
    assert.deepEqual(view.update().objects.workloads, []);
    put("deployments", { ...web, metadata: { ...web.metadata, generation: 2 }, spec: { ...web.spec, replicas: 2 } });
    const { objects, rows } = view.update();
    assert.deepEqual([objects.workloads.length, rows.changed.length, rows.changed[0]?.health], [1, 1, "starting"]);
  });

  test("a workload that was removed is gone while its pods still end", () => {
    const { view, put, remove } = world();
    const web = put("deployments", deployment({ name: "web" }));
    const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
    put("pods", pod({ name: "web-1-a", owner: set, deletionTimestamp: "2026-03-01T12:05:00Z" }));
    view.update();
    remove("deployments", web);
    const { removed, rows } = view.update();
    assert.deepEqual([removed.workloads, rows.removed], [[web.metadata.uid], [web.metadata.uid]]);
    assert.deepEqual(view.rows(), []);
  });

  test("a listing that lacks what was there removes it", () => {
    const { view, put, kept } = world();
    const web = put("deployments", deployment({ name: "web" }));
    view.update();
    kept.get("deployments")?.clear();
    view.touchAll("deployments");
    assert.deepEqual(view.update().removed.workloads, [web.metadata.uid]);
  });

  test("workloads of kinds that are not read are known by their pods", () => {
    const { view, put, row } = world();
    const rollout = { kind: "Rollout", metadata: metadataOf({ name: "canary" }) };
    const set = put("replicaSets", replicaSet({ name: "canary-1", owner: rollout, replicas: 2 }));
    put("pods", pod({ name: "canary-1-a", owner: set }));
    const [workload] = view.update().objects.workloads;
    assert.deepEqual([workload?.kind, workload?.name, workload?.replicas.desired, workload?.replicas.ready], ["Rollout", "canary", 2, 1]);
    assert.equal(row("canary")?.health, "unhealthy");
  });

  test("deployments that may not be read are known by their pods too", () => {
    const { view, put, deny } = world();
    deny("deployments");
    const web = deployment({ name: "web" });
    const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
    put("pods", pod({ name: "web-1-a", owner: set }));
    assert.deepEqual(
      view.update().objects.workloads.map(({ id, kind }) => [id, kind]),
      [[web.metadata.uid, "Deployment"]],
    );
  });

  test("jobs of a CronJob are its own, and show how its last run ended", () => {
    const { view, put, row } = world();
    const nightly = put("cronJobs", cronJob({ name: "nightly" }));
    view.update();
    assert.equal(row("nightly")?.state, "created");
    const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: "2026-03-01T12:10:00Z" };
    const run = put("jobs", job({ name: "nightly-1", owner: nightly, conditions: [failed] }));
    const one = put(
      "pods",
      pod({ name: "nightly-1-a", owner: run, status: { phase: "Failed", containerStatuses: [terminated("app", 3)] } }),
    );
    const { objects } = view.update();
    assert.deepEqual(
      objects.workloads.map(({ name, cronJob: of }) => [name, of?.lastOutcome?.outcome, of?.lastOutcome?.reason]),
      [["nightly", "failed", "BackoffLimitExceeded"]],
    );
    assert.deepEqual([row("nightly")?.state, row("nightly")?.exitCode], ["exited", 1]);
    assert.equal(objects.pods.find(({ id }) => id === one.metadata.uid)?.jobName, "nightly-1");
  });

  test("a CronJob says when its schedule was last changed by whoever owns that, in the cluster's own words", () => {
    const changedAt = (managedFields: unknown): (Date | null | undefined)[] => {
      const { view, put } = world();
      const made = cronJob({ name: "nightly" });
      put("cronJobs", { ...made, metadata: { ...made.metadata, managedFields } } as typeof made);
      return view.update().objects.workloads.map(({ cronJob: of }) => of?.scheduleChangedAt);
    };
    const owned = (time: string, fieldsV1: object) => ({ manager: "kubectl", operation: "Update", time, fieldsV1 });
    const fields = [
      owned("2026-03-01T08:00:00Z", { "f:spec": { "f:schedule": {}, "f:suspend": {} } }),
      owned("2026-03-01T10:00:00Z", { "f:spec": { "f:suspend": {} } }),
      owned("2026-03-01T11:00:00Z", { "f:spec": { "f:jobTemplate": {} } }),
      owned("2026-03-01T12:00:00Z", { "f:status": { "f:lastScheduleTime": {} } }),
    ];
    assert.deepEqual(changedAt(fields), [new Date("2026-03-01T10:00:00Z")]);
    for (const none of [undefined, null, [{}], [owned("never", { "f:spec": { "f:suspend": {} } })], "odd", [{ fieldsV1: { "f:spec": 1 } }]])
      assert.deepEqual(changedAt(none), [null]);
  });

  test("of runs that ended within one second the later is the newest of a CronJob", () => {
    const { view, put } = world();
    const nightly = put("cronJobs", cronJob({ name: "nightly" }));
    const condition = (type: string) => ({ type, status: "True", lastTransitionTime: "2026-03-01T12:10:00Z" });
    put("jobs", job({ name: "nightly-1", owner: nightly, conditions: [condition("Failed")] }));
    const complete = job({ name: "nightly-2", owner: nightly, conditions: [condition("Complete")] });
    put("jobs", { ...complete, status: { ...complete.status, completionTime: "2026-03-01T12:10:00Z" } });
    const { objects } = view.update();
    assert.deepEqual(
      objects.workloads.map(({ cronJob: of }) => of?.lastOutcome?.jobName),
      ["nightly-2"],
    );
  });

  test("services lead to the workloads whose pods they select, also when these come later", () => {
    const { view, put } = world();
    const service = {
      metadata: metadataOf({ name: "web" }),
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] },
    };
    put("services", service);
    assert.deepEqual(view.update().objects.services[0]?.workloadIds, []);
    const web = put("deployments", deployment({ name: "web" }));
    put("deployments", deployment({ name: "web", namespace: "other" }));
    assert.deepEqual(view.update().objects.services[0]?.workloadIds, [web.metadata.uid]);
  });

  test("a namespace is guarded by a policy of what comes in", () => {
    const { view, put, deny } = world();
    const shop = { metadata: { ...metadataOf({ name: "shop" }), namespace: "" }, status: { phase: "Active" } };
    put("namespaces", shop);
    assert.equal(view.update().objects.namespaces[0]?.hasNetworkPolicy, false);
    put("networkPolicies", { metadata: metadataOf({ name: "deny" }), spec: { policyTypes: ["Ingress"] } });
    assert.equal(view.update().objects.namespaces[0]?.hasNetworkPolicy, true);
    deny("networkPolicies");
    view.touchAll("networkPolicies");
    assert.equal(view.update().objects.namespaces[0]?.hasNetworkPolicy, null);
  });

  test("what an autoscaler may do is part of what it scales", () => {
    const { view, put } = world();
    put("deployments", deployment({ name: "web" }));
    view.update();
    const spec = { scaleTargetRef: { kind: "Deployment", name: "web" }, minReplicas: 2, maxReplicas: 9 };
    put("autoscalers", { metadata: metadataOf({ name: "web" }), spec, status: { currentReplicas: 2, desiredReplicas: 3 } });
    const [workload] = view.update().objects.workloads;
    assert.deepEqual([workload?.autoscaler?.min, workload?.autoscaler?.max, workload?.autoscaler?.desired], [2, 9, 3]);
  });

  test("readings that hardly differ are no news", () => {
    const { view, put } = world();
    const web = put("deployments", deployment({ name: "web" }));
    const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
    put("pods", pod({ name: "web-1-a", owner: set }));
    view.update();
    const use = (cpuCores: number, throttled?: number) =>
      view.setUsage({
        pods: new Map([["shop/web-1-a", { cpuCores, memoryBytes: 1e8 }]]),
        throttled: new Map(throttled === undefined ? [] : [["shop/web-1-a", throttled]]),
        nodes: new Map(),
        volumes: new Map(),
      });
    use(0.5);
    assert.equal(view.update().objects.pods[0]?.usage?.cpuCores, 0.5);
    use(0.52);
    assert.deepEqual(view.update().objects.pods, []);
    use(0.7);
    assert.equal(view.update().objects.pods[0]?.usage?.cpuCores, 0.7);
    use(0.7, 0.3);
    assert.deepEqual(view.update().objects.pods[0]?.usage, { cpuCores: 0.7, memoryBytes: 1e8, throttledShare: 0.3 });
    use(0.7, 0.31);
    assert.deepEqual(view.update().objects.pods, []);
    use(0.7, 0.5);
    assert.equal(view.update().objects.pods[0]?.usage?.throttledShare, 0.5);
    use(0.7);
    assert.equal(view.update().objects.pods[0]?.usage?.throttledShare, null);
  });

  test("many objects are looked at little by little, and then shown together", async () => {
    const { view, put } = world();
    const web = put("deployments", deployment({ name: "web" }));
    const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
    for (let number = 0; number < 300; number += 1) put("services", { ...metadataOnly(`service-${number}`), spec: {} });
    assert.equal(view.settle(), undefined);
    for (let number = 0; number < 300; number += 1) put("pods", pod({ name: `web-1-${number}`, owner: set }));
    const settling = view.settle();
    assert.equal(view.settle(), settling);
    await settling;
    assert.equal(view.settle(), undefined);
    const { objects, rows } = view.update();
    assert.equal(objects.pods.length, 300);
    assert.equal(objects.services.length, 300);
    assert.deepEqual(
      rows.changed.map(({ name }) => name),
      ["shop/web"],
    );
    assert.equal(view.podsOf(web.metadata.uid).length, 300);
  });
});

describe("the rollout of a Deployment", () => {
  const progressing = (reason: string) => [{ type: "Progressing", status: "True", reason }];
  const NO_DEADLINE: object[] = [];
  const cases: { name: string; status: object; conditions?: object[]; generation?: number; state: string }[] = [
    { name: "is complete while pods are missing", status: { replicas: 2, updatedReplicas: 2 }, state: "complete" },
    {
      name: "is complete while pods are missing, without a deadline",
      status: { replicas: 2, updatedReplicas: 2 },
      conditions: NO_DEADLINE,
      state: "complete",
    },
    { name: "progresses while old pods are there", status: { replicas: 3, updatedReplicas: 1 }, state: "progressing" },
    {
      name: "progresses while old pods are there, without a deadline",
      status: { replicas: 3, updatedReplicas: 1 },
      conditions: NO_DEADLINE,
      state: "progressing",
    },
    {
      name: "progresses until its pods were available once",
      status: { replicas: 3, updatedReplicas: 3, availableReplicas: 0 },
      conditions: progressing("ReplicaSetUpdated"),
      state: "progressing",
    },
    { name: "progresses until its controller saw it", status: { replicas: 2, updatedReplicas: 2 }, generation: 2, state: "progressing" },
  ];
  for (const { name, status, conditions, generation, state } of cases) {
    test(name, () => {
      const { view, put } = world();
      const web = deployment({ name: "web", replicas: 3, ready: 2, ...(conditions && { conditions }) });
      put("deployments", { ...web, metadata: { ...web.metadata, generation: generation ?? 1 }, status: { ...web.status, ...status } });
      assert.equal(view.update().objects.workloads[0]?.rollout?.state, state);
    });
  }
});

describe("the row of a workload", () => {
  const cases: {
    name: string;
    ready: number;
    pods: object[];
    progressing?: boolean;
    state: string;
    health: string | null;
    detail?: RegExp;
  }[] = [
    { name: "all ready", ready: 2, pods: [{}, {}], state: "running", health: "healthy" },
    { name: "one of two", ready: 1, pods: [{}, {}], state: "running", health: "unhealthy" },
    { name: "one of two while it rolls out", ready: 1, pods: [{}, {}], progressing: true, state: "running", health: "starting" },
    {
      name: "none, in a crash loop",
      ready: 0,
      pods: [{ containerStatuses: [waiting("app", "CrashLoopBackOff", { restartCount: 4, last: { exitCode: 1, reason: "Error" } })] }],
      state: "restarting",
      health: null,
      detail: /CrashLoopBackOff/,
    },
    {
      name: "none, whose image is not there",
      ready: 0,
      pods: [{ phase: "Pending", containerStatuses: [waiting("app", "ImagePullBackOff")] }],
      state: "exited",
      health: null,
      detail: /ImagePullBackOff/,
    },
    {
      name: "none, that no node takes",
      ready: 0,
      pods: [
        {
          phase: "Pending",
          containerStatuses: [],
          conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" }],
        },
      ],
      state: "exited",
      health: null,
      detail: /0\/3 nodes/,
    },
    {
      name: "none yet, being made",
      ready: 0,
      pods: [{ phase: "Pending", containerStatuses: [waiting("app", "ContainerCreating")] }],
      state: "created",
      health: null,
    },
    {
      name: "none, that runs without being ready",
      ready: 0,
      pods: [{ conditions: [{ type: "Ready", status: "False" }], containerStatuses: [{ ...running("app"), ready: false }] }],
      state: "running",
      health: "unhealthy",
    },
  ];
  for (const { name, ready, pods, progressing = false, state, health, detail } of cases) {
    test(name, () => {
      const { view, put, row } = world();
      const web = deployment({ name: "web", replicas: 2, ready });
      if (progressing) web.status.updatedReplicas = 1;
      put("deployments", web);
      const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
      for (const [index, status] of pods.entries()) put("pods", pod({ name: `web-1-${index}`, owner: set, status }));
      view.update();
      assert.deepEqual([row("web")?.state, row("web")?.health], [state, health]);
      if (detail === undefined) assert.equal(row("web")?.errorDetail, null);
      else assert.match(row("web")?.errorDetail ?? "", detail);
    });
  }

  test("one that was scaled to none was stopped by request", () => {
    const { view, put, row } = world();
    put("deployments", deployment({ name: "web", replicas: 0 }));
    view.update();
    assert.deepEqual([row("web")?.state, row("web")?.stopRequested], ["exited", true]);
  });

  test("pods that come and go are no restart of it", () => {
    const { view, put, remove, row } = world();
    const web = put("deployments", deployment({ name: "web" }));
    const set = put("replicaSets", replicaSet({ name: "web-1", owner: web }));
    const old = put("pods", pod({ name: "web-1-a", owner: set }));
    view.update();
    const before = row("web");
    remove("pods", old);
    put(
      "pods",
      pod({
        name: "web-1-b",
        owner: set,
        status: { containerStatuses: [{ ...running("app"), state: { running: { startedAt: "2026-03-02T12:00:00Z" } } }] },
      }),
    );
    view.update();
    assert.deepEqual([row("web")?.startedAt, row("web")?.state], [before?.startedAt, "running"]);
  });
});
