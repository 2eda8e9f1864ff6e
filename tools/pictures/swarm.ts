import type { ServiceList } from "../../src/monitoring/swarm/answers.ts";
import { BUSYBOX } from "../../test/support/images.ts";
import { type Program, startProgram } from "../../test/support/program.ts";
import { startSwarm } from "../../test/support/swarm.ts";
import { until } from "../../test/support/until.ts";

/** A swarm with something of everything, and the program that watches its first engine. */
export interface SwarmScene {
  swarm: Program;
  /** The service whose tasks fail. */
  failing: string;
}

/** Starts three engines and what they run. What was started is stopped with the stack. */
export async function startSwarmScene(stack: AsyncDisposableStack): Promise<SwarmScene> {
  const { hosts, stop } = await startSwarm(3);
  stack.defer(stop);
  const [first] = hosts;
  if (first === undefined) throw new Error("no engine");
  const { docker } = first.engine;
  const create = (name: string, ...args: string[]): Promise<string> =>
    docker("service", "create", "-d", "--no-resolve-image", "--restart-delay", "2s", "--name", name, ...args);
  const ofShop = ["--label", "com.docker.stack.namespace=shop"];
  await create("shop_web", ...ofShop, "--replicas", "3", "--publish", "mode=host,target=80,published=8080", BUSYBOX);
  await create("shop_checkout", ...ofShop, "--replicas", "2", "--constraint", "node.labels.disk==ssd", BUSYBOX);
  await create("shop_worker", ...ofShop, BUSYBOX, "false");
  await create("shop_migrate", ...ofShop, "--mode", "replicated-job", BUSYBOX, "true");
  await create("metrics_agent", "--label", "com.docker.stack.namespace=metrics", "--mode", "global", BUSYBOX);
  await create("registry", "--replicas", "0", BUSYBOX);
  await create("blog", "--update-failure-action", "pause", BUSYBOX);
  await until(
    async () =>
      (await docker("service", "ps", "-f", "desired-state=running", "--format", "{{.CurrentState}}", "blog")).startsWith("Running"),
    {
      everyMs: 200,
    },
  );
  await docker("service", "update", "-d", "--no-resolve-image", "--image", "registry.example/blog:3", "blog");
  await docker("node", "update", "--availability", "drain", "node-3");
  const swarm = await startProgram({ env: { SERVICE_DOCKER_HOST: first.engine.host } });
  stack.defer(async () => void (await swarm.stop()));
  const failing = await until(
    async () => {
      const { services = [] } = await swarm.get<Partial<ServiceList>>("/api/v1/swarm/services");
      const isReady = services.find(({ name }) => name === "blog")?.rollout?.state === "paused";
      return isReady ? services.find(({ name, problems }) => name === "shop_worker" && problems.length > 0)?.id : undefined;
    },
    { withinMs: 90_000, everyMs: 500 },
  );
  return { swarm, failing };
}
