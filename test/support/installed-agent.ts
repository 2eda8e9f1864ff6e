import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreatedToken } from "../../src/fleet/enrollment/answers.ts";
import { type ServerProgram, startServer } from "./agent-program.ts";
import { takePort } from "./ports.ts";
import { temporaryFolder } from "./program.ts";
import type { SecondHost } from "./two-hosts.ts";

/** An agent that was installed on a host as a person would: what the server printed was pasted there. */
export interface InstalledAgent {
  /** `docker inspect -f`. */
  inspect(format: string): Promise<string>;
  /** `docker exec`; rejects when the command fails. */
  exec(...command: string[]): Promise<string>;
  /** What it logged so far. */
  log(): Promise<string>;
}

/** The program in server mode, reached by its agents over the cable alone. */
export async function startServerFor({ address }: SecondHost, env: Record<string, string>): Promise<ServerProgram> {
  const grpcPort = await takePort();
  const own = `${address.here}:${grpcPort}`;
  return startServer({ grpcPort, env: { SERVICE_GRPC_LISTEN: own, SERVICE_GRPC_URL: `grpcs://${own}`, ...env } });
}

/** Saves the printed compose file, and runs the command that its beginning names. */
export async function installByCompose(host: SecondHost, { install_templates: { docker_compose: text } }: CreatedToken) {
  const folder = temporaryFolder();
  const [, file] = /Save as (\S+) in a new folder, then run there:/.exec(text) ?? [];
  const [, command] = /^# {3}(.*docker compose .*)$/m.exec(text) ?? [];
  assert.ok(file !== undefined && command !== undefined, text);
  writeFileSync(join(folder, file), text);
  // Debian has Compose as a separate program.
  await host.shell(command.replace("docker compose", "docker-compose"), folder);
  return installed(host, await host.shell("docker-compose ps -q agent", folder));
}

/** Pastes the printed command into a shell. */
export async function installByDockerRun(host: SecondHost, { install_templates: { docker_run: text } }: CreatedToken) {
  return installed(host, await host.shell(text));
}

function installed({ engine, shell }: SecondHost, container: string): InstalledAgent {
  assert.match(container, /^[0-9a-f]{64}$/);
  return {
    inspect: (format) => engine.docker("inspect", "-f", format, container),
    exec: (...command) => engine.docker("exec", container, ...command),
    log: () => shell(`docker logs ${container} 2>&1`),
  };
}
