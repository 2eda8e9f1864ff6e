import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { TestEngine } from "./engine.ts";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;

/** What Compose makes of a file, or of several laid over each other: variables filled in, and refused when it is no compose file. */
export async function readComposeFile(files: string | readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await run("docker-compose", [...[files].flat().flatMap((file) => ["-f", file]), "config"], {
    env: { PATH: process.env["PATH"], ...env },
  });
  return stdout;
}

/** A Compose project with a unique name on an engine. */
export interface ComposeProject {
  name: string;
  compose(...args: string[]): Promise<string>;
  /** Removes containers, volumes and images of the project. */
  remove(): Promise<void>;
}

export function createComposeProject(engine: TestEngine, file: string, variables: Record<string, string>): ComposeProject {
  const name = `bt${randomBytes(4).toString("hex")}`;
  // The classic builder: the newer one is not everywhere.
  const env = { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: "0", COMPOSE_DOCKER_CLI_BUILD: "0" };
  const compose = async (...args: string[]): Promise<string> =>
    (await run("docker-compose", ["-p", name, "-f", file, ...args], { cwd: ROOT, env: { ...env, ...variables } })).stdout;
  return {
    name,
    compose,
    async remove() {
      await compose("down", "-v", "--rmi", "all");
    },
  };
}
