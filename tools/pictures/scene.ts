/** The programs that are pictured: one with something of everything, one of the Pro edition, one with other hosts, an empty one and one with many containers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentList, AgentRecord } from "../../src/fleet/agents/answers.ts";
import type { History } from "../../src/monitoring/resources/answers.ts";
import { connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../../test/support/agent-program.ts";
import { type TestEngine, startEngine } from "../../test/support/engine.ts";
import type { TestContainers } from "../../test/support/images.ts";
import { mcpEnv } from "../../test/support/mcp-program.ts";
import { type Program, startProgram } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { startZoo } from "../../test/support/zoo.ts";
import { startMeasured } from "../bench/child.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { letAssistantsIn } from "./assistants.ts";
import { type KubernetesScene, startKubernetesScene } from "./kubernetes.ts";
import { type SwarmScene, startSwarmScene } from "./swarm.ts";
import { acknowledgeSome, makeChannels, makeChecks, makeStatusPage } from "./contents.ts";

/** How often what a container uses is read before its charts are pictured. */
const READINGS = 3;

/** Programs whose pages do not change with time. */
export interface StillScene {
  empty: Program;
  /** The address of a thousand containers. */
  many: string;
  swarm: SwarmScene;
  kubernetes: KubernetesScene;
}

export interface ListedContainer {
  id: number;
  name: string;
}

export interface LivelyScene {
  program: Program;
  pro: Program;
  fleet: Program;
  containers: ListedContainer[];
  /** Hosts of the fleet: one that is watched, one whose agent went away. */
  known: AgentRecord;
  lost: AgentRecord;
  /** An enrollment token that nobody used yet. */
  waitingToken: string;
}

/** Starts what is still, and begins what takes its time. What was started is stopped with the stack. */
export async function startScene(stack: AsyncDisposableStack): Promise<{ still: StillScene; finishLively(): Promise<LivelyScene> }> {
  const engine = await startEngine();
  stack.defer(() => engine.stop());
  const zoo = await startZoo(engine, "harbour");
  stack.defer(() => zoo.removeAll());
  await exposeContainers(zoo);
  async function start(starting: Promise<Program>): Promise<Program> {
    const program = await starting;
    stack.defer(async () => void (await program.stop()));
    return program;
  }
  const docker = { SERVICE_DOCKER_HOST: engine.host };
  const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Pictures", days: 1 });
  const program = await start(startProgram({ env: { ...docker, SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true" } }));
  const pro = await start(startProgram({ env: mcpEnv({ ...docker, SERVICE_LICENSE_KEY: licence }) }));
  const hosts = await startHosts(stack, engine);
  const empty = await start(startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } }));
  const measured = await startMeasured("containers", ["1000"]);
  stack.defer(() => measured.stop());
  const site = await startSite(stack);
  const swarm = await startSwarmScene(stack);
  const kubernetes = await startKubernetesScene(stack);

  async function finishLively(): Promise<LivelyScene> {
    await makeChannels(program, site);
    await makeChecks(program, site);
    await acknowledgeSome(pro);
    await letAssistantsIn(pro);
    await makeStatusPage(program);
    const storefront = await until(async () => (await listContainers(program)).find(({ name }) => name.endsWith("storefront")));
    await until(async () => (await readings(program, storefront.id)) >= READINGS, { withinMs: 90_000, everyMs: 500 });
    const containers = await listContainers(program);
    return { program, pro, containers, ...(await hosts.leave()) };
  }
  return { still: { empty, many: `http://127.0.0.1:${measured.port}`, swarm, kubernetes }, finishLively };
}

/** Two hosts in addition to the server's own, all of the same engine. */
async function startHosts(
  stack: AsyncDisposableStack,
  { host }: TestEngine,
): Promise<{ leave(): Promise<Pick<LivelyScene, "fleet" | "known" | "lost" | "waitingToken">> }> {
  const fleet = await startServer({
    env: { SERVICE_DOCKER_HOST: host, SERVICE_EMBEDDED_AGENT: "true", SERVICE_AGENT_STALE_THRESHOLD_SECONDS: "5" },
  });
  stack.defer(async () => void (await fleet.stop()));
  const known = await addHost(stack, { fleet, host, label: "nas" });
  const lost = await addHost(stack, { fleet, host, label: "shop-frontend-03" });
  const waiting = await makeToken(fleet, { label: "printer" });
  return {
    async leave() {
      await lost.stop();
      return {
        fleet,
        known: await connectedAgent(fleet, { label: known.label }),
        lost: await until(
          async () =>
            (await fleet.get<AgentList>("/api/v1/agents")).agents.find(({ connection_state }) => connection_state === "disconnected"),
          { withinMs: 20_000, everyMs: 200 },
        ),
        waitingToken: waiting.id,
      };
    },
  };
}

async function addHost(
  stack: AsyncDisposableStack,
  { fleet, host, label }: { fleet: ServerProgram; host: string; label: string },
): Promise<{ label: string; stop(): Promise<unknown> }> {
  const { token } = await makeToken(fleet, { label });
  const agent = startAgent({ server: fleet.grpcUrl, env: { SERVICE_ENROLLMENT_TOKEN: token, SERVICE_DOCKER_HOST: host } });
  stack.defer(async () => void (await agent.stop()));
  await connectedAgent(fleet, { label });
  return { label, stop: () => agent.stop() };
}

async function listContainers(program: Program): Promise<ListedContainer[]> {
  interface Listed {
    groups: { containers: ListedContainer[] }[];
  }
  return (await program.get<Listed>("/api/v1/containers")).groups.flatMap(({ containers }) => containers);
}

/** How often a container's use was read. */
async function readings(program: Program, id: number): Promise<number> {
  const { series } = await program.get<History>(`/api/v1/containers/${id}/resources/history`);
  return series.cpu_percent.filter((value) => value !== null).length;
}

/** A site that answers unevenly, as real ones do. */
async function startSite(stack: AsyncDisposableStack): Promise<string> {
  let count = 0;
  const server = createServer(
    (_request, response) => void setTimeout(() => response.writeHead(200).end("well"), 4 + ((count++ * 37) % 60)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void server.close());
  // A server that listens on a port has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Containers that are exposed differently, made before the browser starts: networks that come and go disturb it. */
async function exposeContainers({ run }: Pick<TestContainers, "run">): Promise<void> {
  await run("gateway", ["-p", "0.0.0.0::80", "-p", "0.0.0.0::443"], "sleep", "100000");
  await run("ledger-db", ["--label", "com.docker.compose.service=db", "-p", "0.0.0.0::5432"], "sleep", "100000");
  await run("node-exporter", ["--network", "host"], "sleep", "100000");
}
