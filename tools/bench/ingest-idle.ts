import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { startEngine } from "../../test/support/engine.ts";
import { importBusybox } from "../../test/support/images.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { newToken } from "./agents/enroll.ts";
import { runBuilt, startBuiltServer } from "./programs.ts";
import { startMeasured } from "./child.ts";
import { type Figure, ratioFigure } from "./figure.ts";
import { residentBytes } from "./questions.ts";

const CONTAINERS = 10;
const IDLE_MS = 30_000;
const CONNECTED = { withinMs: 30_000, everyMs: 200 };

/** The agent program with a real engine, against a bare process that holds one stream open; both over TLS. */
export async function idleAgent(): Promise<Figure[]> {
  const engine = await startEngine();
  const image = await importBusybox(engine);
  const ids = await Promise.all(Array.from({ length: CONTAINERS }, () => engine.docker("run", "-d", image, "sleep", "3600")));
  const server = await startBuiltServer({ SERVICE_GRPC_TLS_INSECURE: "false" });
  const bareServer = await startMeasured("event-rows", ["tls"]);
  const bare = spawn(process.execPath, ["tools/bench/servers/baseline-agent.js", String(bareServer.port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const agent = runBuilt(["--mode=agent"], {
    SERVICE_DATA_DIR: temporaryFolder(),
    SERVICE_SERVER: `grpcs://127.0.0.1:${server.grpcPort}`,
    SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "true",
    SERVICE_ENROLLMENT_TOKEN: await newToken(server.url, 1),
    SERVICE_DOCKER_HOST: engine.host,
  });
  try {
    await once(bare.stdout, "data");
    await until(() => agent.log().includes("connected to the server"), CONNECTED);
    await wait(IDLE_MS);
    const baseline = residentBytes(bare.pid ?? 0) / 1024 ** 2;
    return [
      ratioFigure({ name: "ingest: idle agent, memory", value: agent.residentBytes() / 1024 ** 2, baseline, unit: "MB", atMost: 1.5 }),
    ];
  } finally {
    bare.kill("SIGKILL");
    await agent.stop();
    await server.stop();
    await bareServer.stop();
    await engine.docker("rm", "-f", ...ids);
    await engine.stop();
  }
}
