import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { EndpointList, EndpointRecord } from "../../src/monitoring/endpoints/answers.ts";
import type { ServiceDetail, ServiceList, ServiceRecord } from "../../src/monitoring/swarm/answers.ts";
import { BUSYBOX } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { startSwarm, type TestSwarm } from "../support/swarm.ts";
import { until } from "../support/until.ts";

/** Binnacle shows a change of a swarm within two seconds; the engines themselves may take much longer. */
const SEEN = { withinMs: 60_000, everyMs: 100 };

describe("a swarm of one engine, which is a manager", () => {
  let swarm: TestSwarm;
  let program: Program;

  before(async () => {
    swarm = await startSwarm(1);
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: swarm.hosts[0]?.engine.host ?? "" } });
  });
  after(async () => {
    await program?.stop();
    await swarm?.stop();
  });

  const docker = (...args: string[]): Promise<string> => swarm.hosts[0]?.engine.docker(...args) ?? Promise.reject(new Error("no engine"));
  const services = async (): Promise<ServiceRecord[]> => (await program.get<Partial<ServiceList>>("/api/v1/swarm/services")).services ?? [];
  const service = async (name: string): Promise<ServiceRecord | undefined> => (await services()).find((each) => each.name === name);
  const detail = async (id: string): Promise<ServiceDetail> => program.get<ServiceDetail>(`/api/v1/swarm/services/${id}`);

  it("is found by itself, and its containers are watched as before", async () => {
    await until(async () => (await program.get<{ runtime: string }>("/api/v1/runtime/status")).runtime === "swarm", SEEN);
    await until(async () => (await fetch(`${program.url}/api/v1/swarm/services`)).status === 200, SEEN);
    assert.deepEqual(await services(), []);
  });

  it("shows a stack's service with its tasks, and the container of each", async () => {
    const label = "com.docker.stack.namespace=shop";
    const publish = ["--publish", "mode=host,target=80,published=8080"];
    await docker(
      "service",
      "create",
      "-d",
      "--no-resolve-image",
      "--name",
      "shop_web",
      "--label",
      label,
      "--constraint",
      "node.role==manager",
      ...publish,
      BUSYBOX,
    );
    await until(async () => (await service("shop_web"))?.state === "running", SEEN);
    const found = await service("shop_web");
    assert.ok(found);
    assert.deepEqual([found.group, found.mode, found.running, found.desired], ["shop", "replicated", 1, 1]);
    assert.deepEqual(found.ports, [{ protocol: "tcp", target_port: 80, published_port: 8080, mode: "host" }]);
    assert.deepEqual(found.constraints, ["node.role==manager"]);
    const task = await until(async () => (await detail(found.id)).tasks.find((each) => each.container_id !== null), SEEN);
    assert.deepEqual([task.name, task.state, task.node_name], ["shop_web.1", "running", "node-1"]);
    const usage = await until(async () => (await detail(found.id)).usage, { ...SEEN, what: "what its task uses" });
    assert.deepEqual([usage.tasks_seen, usage.tasks_running], [1, 1]);
  });

  it("does what labels of a service ask for: of its containers, and by checking it once", async () => {
    const labels = [
      "service.group=shop",
      "service.alert.restart_threshold=7",
      "service.endpoint.tcp=127.0.0.1:1",
      "service.alert.down=never",
    ];
    await docker(
      ...["service", "create", "-d", "--no-resolve-image", "--name", "labelled", "--replicas", "2"],
      ...labels.flatMap((label) => ["--label", label]),
      ...["--container-label", "service.alert.restart_threshold=9", BUSYBOX],
    );
    const containers = async (): Promise<ContainerRecord[]> =>
      (await program.get<ContainerList>("/api/v1/containers")).groups
        .flatMap((group) => group.containers)
        .filter(({ name }) => name.startsWith("labelled."));
    const grouped = await until(async () => {
      const found = await containers();
      return found.length === 2 && found.every(({ group }) => group === "shop") ? found : undefined;
    }, SEEN);
    assert.deepEqual(
      grouped.map(({ restart_threshold: threshold }) => threshold),
      [9, 9],
    );
    const endpoints = async (): Promise<EndpointRecord[]> =>
      (await program.get<EndpointList>("/api/v1/endpoints")).endpoints.filter(({ service_name: name }) => name === "labelled");
    const checked = await until(async () => (await endpoints()).find(({ last_check_at: at }) => at !== null), SEEN);
    assert.deepEqual([checked.target, checked.last_failure_class, (await endpoints()).length], ["127.0.0.1:1", "connect", 1]);
    const found = await service("labelled");
    assert.ok(found);
    assert.deepEqual(
      (await detail(found.id)).label_errors.map(({ label }) => label),
      ["service.alert.down"],
    );

    // Its tasks run on as they are.
    await docker(
      "service",
      "update",
      "-d",
      "--no-resolve-image",
      "--label-add",
      "service.group=other",
      "--label-rm",
      "service.endpoint.tcp",
      "labelled",
    );
    await until(async () => (await containers()).every(({ group }) => group === "other"), { withinMs: 4_000, everyMs: 100 });
    assert.deepEqual(
      (await containers()).map(({ id }) => id),
      grouped.map(({ id }) => id),
    );
    await until(async () => (await endpoints()).length === 0, SEEN);
    await docker("service", "rm", "labelled");
  });
});
