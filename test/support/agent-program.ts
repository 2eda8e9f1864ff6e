import type { CreatedToken } from "../../src/fleet/enrollment/answers.ts";
import type { AgentList, AgentRecord } from "../../src/fleet/agents/answers.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { takePort } from "./ports.ts";
import { type Program, type ProgramProcess, spawnProgram, startProgram, temporaryFolder } from "./program.ts";
import { until } from "./until.ts";

export type ServerProgram = Awaited<ReturnType<typeof startProgram>> & {
  /** Where agents connect, as SERVICE_SERVER. */
  grpcUrl: string;
  grpcPort: number;
};

/** The program in server mode, licensed, with a self-signed certificate; it watches its own host only on request. */
export async function startServer({
  env = {},
  grpcPort,
  ...options
}: { env?: Record<string, string>; dataDir?: string; port?: number; grpcPort?: number } = {}): Promise<ServerProgram> {
  const agentsPort = grpcPort ?? (await takePort());
  const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Harbour", days: 30 });
  const program = await startProgram({
    ...options,
    env: {
      SERVICE_MODE: "server",
      SERVICE_GRPC_LISTEN: `127.0.0.1:${agentsPort}`,
      SERVICE_EMBEDDED_AGENT: "false",
      SERVICE_LICENSE_KEY: licence,
      ...env,
    },
  });
  return { ...program, grpcUrl: `grpcs://127.0.0.1:${agentsPort}`, grpcPort: agentsPort };
}

/** Makes an enrollment token at a server. */
export async function makeToken({ url }: Pick<Program, "url">, body: { ttl_hours?: number; label?: string } = {}): Promise<CreatedToken> {
  const answer = await fetch(`${url}/api/v1/agents/enrollment-tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ttl_hours: 24, ...body }),
  });
  if (answer.status !== 201) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as CreatedToken;
}

/** An agent as a process. Its server shows whether it is connected, see {@link connectedAgent}. */
export interface AgentProgram extends ProgramProcess {
  dataDir: string;
}

/** Starts the program in agent mode; answers at once. */
export function startAgent({
  server,
  env = {},
  dataDir = temporaryFolder(),
  hostname,
}: {
  server: string;
  env?: Record<string, string>;
  dataDir?: string;
  /** See {@link spawnProgram}. */
  hostname?: string;
}): AgentProgram {
  const agent = { SERVICE_SERVER: server, SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "true" };
  return { ...spawnProgram({ args: ["--mode=agent"], env: { ...agent, ...env }, dataDir, hostname }), dataDir };
}

/** Waits until the server says that an agent (by its label, or any) is connected. */
export function connectedAgent(
  server: Pick<Program, "get">,
  { label, withinMs = 60_000 }: { label?: string; withinMs?: number } = {},
): Promise<AgentRecord> {
  return until(
    async () => {
      const { agents } = await server.get<AgentList>("/api/v1/agents");
      return agents.find((agent) => agent.connection_state === "connected" && (label === undefined || agent.label === label));
    },
    { withinMs, everyMs: 100 },
  );
}
