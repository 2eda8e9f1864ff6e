import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type EngineAnswers, startEngineAnswers } from "../../../test/support/engine-answers.ts";
import { systemClock } from "../../platform/clock.ts";
import { createDockerRuntime } from "./index.ts";
import type { Runtime } from "../runtime.ts";

/** Answers of Docker 20.10 and 28, cut to what is read. */
const ENGINE = {
  "/_ping": "OK",
  "/version": { Version: "28.5.2", ApiVersion: "1.51", MinAPIVersion: "1.24" },
  "/containers/json": [],
  "/events": 200,
};
const CLUSTER = {
  NodeID: "f0f22w758rz47il6kybhbpf2x",
  LocalNodeState: "active",
  ControlAvailable: true,
  Cluster: { ID: "q316iwg8d9oz5zd7io7lt5pqz" },
};
const MANAGER = { ...ENGINE, "/info": { Name: "node-1", Swarm: CLUSTER } };
const DIGEST = `sha256:${"a".repeat(64)}`;
const NODE = {
  ID: "f0f22w758rz47il6kybhbpf2x",
  Spec: { Role: "manager", Availability: "active" },
  Description: { Hostname: "node-1", Engine: { EngineVersion: "28.5.2" } },
  Status: { State: "ready", Addr: "10.79.69.2" },
  ManagerStatus: { Leader: true, Reachability: "reachable" },
};
/** Behind the routing mesh, which this machine's kernel has not. */
const SERVICE = {
  ID: "i5nx7ecwurasdlf3f2tn5aq0t",
  CreatedAt: "2026-11-25T15:48:43.573589419Z",
  UpdatedAt: "2026-11-25T15:48:56.075190972Z",
  Spec: {
    Name: "shop_web",
    Labels: { "com.docker.stack.namespace": "shop" },
    TaskTemplate: {
      ContainerSpec: { Image: `shop/web:2@${DIGEST}`, Configs: [{ ConfigName: "shop_nginx", File: { Name: "/etc/nginx.conf" } }] },
      Placement: { Constraints: ["node.role==worker"] },
    },
    Mode: { Replicated: { Replicas: 2 } },
  },
  Endpoint: {
    Ports: [{ Protocol: "tcp", TargetPort: 80, PublishedPort: 8080, PublishMode: "ingress" }],
    VirtualIPs: [{ NetworkID: "x", Addr: "10.0.0.5/24" }],
  },
  UpdateStatus: {
    State: "rollback_started",
    StartedAt: "2026-11-25T15:48:55.775809189Z",
    Message: "update rolled back due to failure or early termination of task uoizxgpbez7lztalw1p8fvrrx",
  },
};
const TASK = {
  ID: "bxsec4",
  CreatedAt: "2026-11-25T15:48:43.7Z",
  ServiceID: SERVICE.ID,
  NodeID: NODE.ID,
  Slot: 1,
  DesiredState: "shutdown",
  Spec: { ContainerSpec: { Image: "shop/web:2" } },
  Status: {
    Timestamp: "2026-11-25T15:48:51.353844115Z",
    State: "failed",
    Err: "task: non-zero exit (1)",
    ContainerStatus: { ContainerID: "ede95452ee2a", ExitCode: 1 },
  },
};

const signal = new AbortController().signal;

describe("the swarm of an engine", () => {
  let engine: EngineAnswers;
  let runtime: Runtime;
  afterEach(async () => {
    await runtime.close();
    await engine.close();
  });

  async function open(answers: Record<string, unknown>, use?: "always" | "never"): Promise<void> {
    engine = await startEngineAnswers(answers);
    runtime = createDockerRuntime({ host: engine.host, clock: systemClock, swarm: use });
  }
  const read = () => runtime.swarm?.read(signal) ?? Promise.reject(new Error("no swarm"));

  it("is read by a manager", async () => {
    await open({ ...MANAGER, "/nodes": [NODE], "/services": [SERVICE], "/tasks": [TASK] });
    assert.equal((await runtime.describe(signal)).capabilities.swarm, true);
    assert.equal(runtime.kind, "swarm");
    const { topology, ...head } = await read();
    assert.deepEqual(head, { standing: "manager", clusterId: CLUSTER.Cluster.ID, nodeId: NODE.ID, leader: true, reason: null });
    assert.ok(topology);
    const [service] = topology.services;
    assert.deepEqual([service?.name, service?.stack, service?.mode, service?.replicas], ["shop_web", "shop", "replicated", 2]);
    assert.deepEqual([service?.image, service?.imageDigest], ["shop/web:2", DIGEST]);
    assert.deepEqual(service?.ports, [{ protocol: "tcp", targetPort: 80, publishedPort: 8080, mode: "ingress" }]);
    assert.deepEqual([service?.constraints, service?.configs], [["node.role==worker"], ["shop_nginx"]]);
    assert.deepEqual([service?.rollout?.state, service?.rollout?.message], ["rollback_started", SERVICE.UpdateStatus.Message]);
    assert.equal(service?.hasPrevious, false);
    const [task] = topology.tasks;
    assert.deepEqual([task?.state, task?.error, task?.exitCode, task?.slot], ["failed", "task: non-zero exit (1)", 1, 1]);
    assert.deepEqual(topology.nodes[0]?.manager, { leader: true, reachability: "reachable" });
  });

  it("says which run of a job its tasks belong to", async () => {
    const job = {
      ...SERVICE,
      Spec: { ...SERVICE.Spec, Mode: { ReplicatedJob: { MaxConcurrent: 1, TotalCompletions: 3 } } },
      JobStatus: { JobIteration: { Index: 231 } },
    };
    const tasks = [TASK, { ...TASK, ID: "second", JobIteration: { Index: 231 } }];
    await open({ ...MANAGER, "/nodes": [NODE], "/services": [job], "/tasks": tasks });
    const { topology } = await read();
    assert.deepEqual(
      [topology?.services[0]?.mode, topology?.services[0]?.replicas, topology?.services[0]?.jobIteration],
      ["replicated-job", 3, 231],
    );
    assert.deepEqual(
      topology?.tasks.map(({ jobIteration }) => jobIteration),
      [null, 231],
    );
  });

  for (const [what, Swarm, standing, reason] of [
    ["a worker", { NodeID: "w", LocalNodeState: "active", ControlAvailable: false }, "worker", /is a worker/],
    ["a locked manager", { NodeID: "", LocalNodeState: "locked", ControlAvailable: false }, "locked", /docker swarm unlock/],
    ["an engine in no swarm", { NodeID: "", LocalNodeState: "inactive", ControlAvailable: false }, "inactive", /docker swarm init/],
  ] as const) {
    it(`is not seen by ${what}, which says why`, async () => {
      await open({ ...ENGINE, "/info": { Swarm } });
      const { missing, capabilities } = await runtime.describe(signal);
      assert.equal(capabilities.swarm, false);
      assert.equal(
        missing.some((each) => reason.test(each)),
        standing !== "inactive",
      );
      const seen = await read();
      assert.deepEqual([seen.standing, seen.topology], [standing, null]);
      assert.match(seen.reason ?? "", reason);
      // It would log an error for that.
      assert.equal(engine.asked.includes("/nodes"), false);
    });
  }

  for (const [what, message, standing] of [
    [
      "was demoted",
      "This node is not a swarm manager. Worker nodes can't be used to view or modify cluster state. Please run this command on a manager node or promote the current node to a manager.",
      "worker",
    ],
    [
      "was locked",
      'Swarm is encrypted and needs to be unlocked before it can be used. Please use "docker swarm unlock" to unlock it.',
      "locked",
    ],
    [
      "has left",
      'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
      "inactive",
    ],
  ] as const) {
    it(`is not seen any more by a manager that ${what}`, async () => {
      await open({ ...MANAGER, "/nodes": [NODE], "/services": [SERVICE], "/tasks": [TASK] });
      assert.equal((await read()).standing, "manager");
      engine.answers.set("/nodes", { status: 503, message });
      const seen = await read();
      assert.deepEqual([seen.standing, seen.clusterId, seen.topology], [standing, CLUSTER.Cluster.ID, null]);
    });
  }

  for (const [what, LocalNodeState, Error, reason] of [
    ["prepared", "pending", "", /its swarm is not ready\. See/],
    ["in error", "error", "swarm certificates expired", /its swarm is in error: swarm certificates expired/],
  ] as const) {
    const trouble = { NodeID: NODE.ID, LocalNodeState, ControlAvailable: false, Error };

    it(`is not reported as left by one whose part of it is ${what}`, async () => {
      await open({ ...ENGINE, "/info": { Swarm: trouble } });
      assert.match((await runtime.describe(signal)).missing.join(), reason);
      await assert.rejects(read(), { code: "runtime_unavailable", message: reason });
    });

    it(`is not reported as left by a manager whose part of it comes to be ${what}`, async () => {
      await open({ ...MANAGER, "/nodes": [NODE], "/services": [SERVICE], "/tasks": [TASK] });
      assert.equal((await read()).standing, "manager");
      engine.answers.set("/info", { Swarm: trouble });
      engine.answers.set("/nodes", { status: 503, message: 'This node is not a swarm manager. Use "docker swarm init" or …' });
      await assert.rejects(read(), { code: "runtime_unavailable", message: reason });
      await assert.rejects(read(), { code: "runtime_unavailable", message: reason });
      engine.answers.set("/info", MANAGER["/info"]);
      engine.answers.set("/nodes", [NODE]);
      assert.equal((await read()).standing, "manager");
    });
  }

  it("is not reported as left by a manager that has trouble connecting", async () => {
    await open({ ...MANAGER, "/nodes": [NODE], "/services": [SERVICE], "/tasks": [TASK] });
    await read();
    const message = "This node is not a swarm manager. Manager is being prepared or has trouble connecting to the cluster.";
    engine.answers.set("/nodes", { status: 503, message });
    await assert.rejects(read(), { code: "runtime_unavailable", message: /trouble connecting/ });
  });

  it("is missed where somebody asked for one", async () => {
    await open({ ...ENGINE, "/info": { Swarm: { LocalNodeState: "inactive" } } }, "always");
    assert.match((await runtime.describe(signal)).missing.join(), /not part of a swarm/);
  });

  it("is left alone where only the engine is to be watched", async () => {
    await open(MANAGER, "never");
    await runtime.describe(signal);
    assert.deepEqual([runtime.kind, runtime.swarm], ["docker", undefined]);
  });

  it("is denied by a socket proxy, which is named", async () => {
    await open({ ...MANAGER, "/nodes": 403, "/services": 403, "/tasks": 403 });
    const { missing, capabilities } = await runtime.describe(signal);
    assert.match(missing.join(), /GET \/services, \/tasks and \/nodes are denied.*SERVICES=1/);
    assert.equal(capabilities.swarm, false);
    assert.equal((await read()).standing, "denied");
  });

  it("is not known to have lost its quorum while it may still choose a leader", async () => {
    const message = "rpc error: code = Unknown desc = The swarm does not have a leader. It's possible that too few managers are online.";
    await open({ ...MANAGER, "/nodes": { status: 500, message } });
    await assert.rejects(read(), /has no leader at the moment/);
  });

  it("keeps of the tasks that are over the newest five of each slot", async () => {
    const tasks = Array.from({ length: 20 }, (_, index) => ({
      ...TASK,
      ID: `t${index}`,
      CreatedAt: new Date(1.7e12 + index * 1000).toISOString(),
    }));
    await open({ ...MANAGER, "/nodes": [NODE], "/services": [SERVICE], "/tasks": tasks });
    assert.deepEqual(
      (await read()).topology?.tasks.map(({ id }) => id),
      ["t19", "t18", "t17", "t16", "t15"],
    );
  });

  it("of 200 services with 2,000 tasks is read whole", async () => {
    const services = Array.from({ length: 200 }, (_, index) => ({
      ...SERVICE,
      ID: `s${index}`,
      Spec: { ...SERVICE.Spec, Name: `service-${index}` },
    }));
    const tasks = Array.from({ length: 2000 }, (_, index) => ({
      ...TASK,
      ...{ ID: `t${index}`, ServiceID: `s${index % 200}`, Slot: 1 + Math.floor(index / 200), DesiredState: "running" },
      Status: { ...TASK.Status, State: "running", Err: "" },
      // Engines say much more of each than is read.
      NetworksAttachments: Array.from({ length: 3 }, () => ({
        Network: { Spec: { Name: "x".repeat(300), Labels: { a: "b".repeat(100) } } },
      })),
    }));
    await open({ ...MANAGER, "/nodes": [NODE], "/services": services, "/tasks": tasks });
    const { topology } = await read();
    assert.equal(topology?.services.length, 200);
    assert.equal(topology?.tasks.length, 2000);
  });
});
