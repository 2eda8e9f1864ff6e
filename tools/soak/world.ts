/** The programs of a soak: the built server, a real agent, and simulated ones; and how they are started again. */
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { newToken } from "../bench/agents/enroll.ts";
import { type BuiltProgram, runBuilt, startBuiltServer } from "../bench/programs.ts";
import { startMeasured } from "../bench/child.ts";
import { LICENSES, mintLicense } from "../license.ts";

/** So many simulated hosts, with so many containers each. */
const AGENTS = 4;
const CONTAINERS = 25;
const NOT_WATCHED = "unix:///nowhere/docker.sock";
const CONNECTED = { withinMs: 60_000, everyMs: 100 };
const LICENSED_DAYS = 30;

export interface World {
  url: string;
  dataDir: string;
  /** Of the processes that live now. */
  pids(): { server: number; agent: number };
  restartServer(): Promise<void>;
  /** The real agent's process ends and starts; the simulated ones connect again. */
  restartAgents(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts all on SQLite, or on the PostgreSQL database that a URL names. */
export async function startWorld(databaseUrl: string | undefined): Promise<World> {
  const env = {
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Soak", days: LICENSED_DAYS }),
    // The receiver of messages is on this machine.
    SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
    ...(databaseUrl === undefined ? {} : { SERVICE_DATABASE_URL: databaseUrl }),
  };
  let server = await startBuiltServer(env);
  const simulated = await startMeasured("agents", [String(CONTAINERS)]);
  await simulated.ask({ enroll: AGENTS, url: server.url, grpcPort: server.grpcPort });
  const agentEnv = {
    SERVICE_DATA_DIR: temporaryFolder(),
    SERVICE_SERVER: `grpc://127.0.0.1:${server.grpcPort}`,
    SERVICE_ENROLLMENT_TOKEN: await newToken(server.url, 1),
    SERVICE_DOCKER_HOST: NOT_WATCHED,
  };
  let agent = await startAgent();
  await connect();

  async function startAgent(): Promise<BuiltProgram> {
    const started = runBuilt(["--mode=agent"], agentEnv);
    await until(() => started.log().includes("connected to the server"), CONNECTED);
    return started;
  }

  async function connect(): Promise<void> {
    await simulated.ask({ connect: server.grpcPort, withinMs: 1000 });
    await simulated.ask({ inventory: Date.now() });
    await simulated.ask({ live: true });
  }

  async function disconnect(): Promise<void> {
    await simulated.ask({ rest: true });
    await simulated.ask({ disconnect: true });
  }

  return {
    url: server.url,
    dataDir: server.dataDir,
    pids: () => ({ server: server.pid, agent: agent.pid }),
    async restartServer() {
      await disconnect();
      await server.stop();
      server = await startBuiltServer(env, server);
      await connect();
    },
    async restartAgents() {
      await disconnect();
      await agent.stop();
      agent = await startAgent();
      await connect();
    },
    async stop() {
      await simulated.stop();
      await agent.stop();
      await server.stop();
    },
  };
}
