import { spawn } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestEngine } from "./engine.ts";
import { SERVICE, startTokenServer, type TokenServer } from "./registry-tokens.ts";

/** Debian's docker-registry on loopback, behind a counter of what it is asked. Images are pushed by registry-images.ts. */
export interface TestRegistry {
  /** `127.0.0.1:PORT`, which engines and our client ask over plain http. */
  host: string;
  url: string;
  /** What it is asked with, when it wants to know. */
  username: string;
  password: string;
  /** Each question, oldest first; may be emptied. Those of `pushing` are left out. */
  requests: { method: string; path: string; headers: NodeJS.Dict<string | string[]>; status: number }[];
  /** Waited before each answer. */
  delayMs: number;
  tokens: TokenServer | undefined;
  /** Docker's config.json with the credentials, as an object. */
  dockerConfig: { auths: Record<string, { auth: string }> };
  /** Asks with the right to push, past the counter. Path after `/v2/`. */
  push(method: string, path: string, options?: { body?: Buffer; headers?: Record<string, string>; repository: string }): Promise<Response>;
  /** `docker push` of an engine's image under `REPOSITORY:TAG`; resolves with its digest. The engine must share our network. */
  pushFrom(engine: TestEngine, image: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

export interface TestRegistryOptions {
  /** How it wants to be asked; by nobody in particular when absent. */
  auth?: "htpasswd" | "token";
  /** With `token`: what those without credentials may do. */
  anonymous?: readonly string[];
}

const USERNAME = "monitor";
const PASSWORD = "open sesame";
/** Of the password, by bcrypt with the least rounds. */
const HTPASSWD = `${USERNAME}:$2y$04$FBbV4p9o9BoY4XSHEfBYIuZfXs8SiEJ2GJbkHM.3NOejl4CktxQlm\n`;

export async function startRegistry({ auth, anonymous = [] }: TestRegistryOptions = {}): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-registry-"));
  const tokens = auth === "token" ? await startTokenServer({ folder, username: USERNAME, password: PASSWORD, anonymous }) : undefined;
  const file = (name: string): string => join(folder, name);
  await writeFile(file("htpasswd"), HTPASSWD);
  const token = { realm: tokens?.realm, service: SERVICE, issuer: SERVICE, rootcertbundle: tokens?.certFile };
  const config = {
    version: 0.1,
    log: { level: "info", formatter: "json", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: file("data"), maxthreads: 100 }, delete: { enabled: true } },
    http: { addr: "127.0.0.1:0", secret: "test", relativeurls: true },
    ...(auth === "htpasswd" ? { auth: { htpasswd: { realm: "test", path: file("htpasswd") } } } : {}),
    ...(auth === "token" ? { auth: { token } } : {}),
  };
  // JSON is YAML.
  await writeFile(file("config.yml"), JSON.stringify(config));
  const daemon = spawn("docker-registry", ["serve", file("config.yml")], { stdio: ["ignore", "ignore", "pipe"] });
  const endWithUs = (): void => void daemon.kill("SIGKILL");
  process.once("exit", endWithUs);
  const ended = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  const port = await listeningPort(daemon.stderr);

  const registry: TestRegistry = {
    host: "",
    url: "",
    username: USERNAME,
    password: PASSWORD,
    requests: [],
    delayMs: 0,
    tokens,
    dockerConfig: { auths: {} },
    push(method, path, { body, headers = {}, repository } = { repository: "" }) {
      const basic = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString("base64")}`;
      const authorization = tokens === undefined ? basic : `Bearer ${tokens.mint(repository, ["pull", "push"])}`;
      const init = { method, headers: { ...headers, ...(auth === undefined ? {} : { authorization }) } };
      return fetch(`http://127.0.0.1:${port}/v2/${path}`, { ...init, ...(body === undefined ? {} : { body: new Uint8Array(body) }) });
    },
    async pushFrom(engine, image, name) {
      const full = `${registry.host}/${name}`;
      await writeFile(file("config.json"), JSON.stringify(registry.dockerConfig));
      await engine.docker("tag", image, full);
      const output = await engine.docker("--config", folder, "push", full);
      const digest = /digest: (sha256:[0-9a-f]{64})/.exec(output)?.[1];
      if (digest === undefined) throw new Error(`docker push printed no digest:\n${output}`);
      return digest;
    },
    async stop() {
      const closed = new Promise((resolve) => front.close(resolve));
      front.closeAllConnections();
      await closed;
      process.off("exit", endWithUs);
      daemon.kill("SIGTERM");
      const giveUp = setTimeout(() => daemon.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(giveUp);
      await tokens?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };

  const front = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    const entry = { method, path, headers, status: 0 };
    registry.requests.push(entry);
    const pass = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      entry.status = answer.statusCode ?? 0;
      const send = (): void => {
        response.writeHead(entry.status, answer.headers);
        answer.pipe(response);
      };
      if (registry.delayMs > 0) setTimeout(send, registry.delayMs);
      else send();
    });
    pass.on("error", () => response.destroy());
    request.pipe(pass);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  registry.host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
  registry.url = `http://${registry.host}`;
  if (auth !== undefined) registry.dockerConfig.auths[registry.host] = { auth: Buffer.from(`${USERNAME}:${PASSWORD}`).toString("base64") };
  return registry;
}

/** Which port it took, as it says itself. */
async function listeningPort(stderr: NodeJS.ReadableStream): Promise<number> {
  const printed: string[] = [];
  const lines = createInterface({ input: stderr });
  for await (const line of lines) {
    printed.push(line);
    const port = /listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    // Closing the reader would close its pipe.
    stderr.resume();
    return Number(port);
  }
  throw new Error(`docker-registry did not start:\n${printed.join("\n").slice(-2000)}`);
}
