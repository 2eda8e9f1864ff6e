import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DAY_MS } from "../../src/contract/time.ts";
import type { AgentList } from "../../src/fleet/agents/answers.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { type AgentProgram, connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../support/agent-program.ts";
import { takePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/program.ts";
import { createAuthority } from "../support/tls-authority.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** No engine answers there: these tests need none. */
const NO_ENGINE = { SERVICE_DOCKER_HOST: "unix:///nonexistent/docker.sock" };

/** Runs the program until it ends by itself, which it is expected to do soon. */
async function ended(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ["dist/main.js", ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      SERVICE_DATA_DIR: folder,
      SERVICE_ADDR: `127.0.0.1:${await takePort()}`,
      SERVICE_GRPC_LISTEN: `127.0.0.1:${await takePort()}`,
      ...NO_ENGINE,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-20_000)));
  // The code of its exit, by the documentation of Node.
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

const licence = (days: number): string => mintLicense(LICENSES, { edition: "personal", organisation: "Harbour", days });

describe("a start that cannot succeed ends with 2 and the reason", () => {
  const files = async () => {
    const authority = createAuthority(temporaryFolder());
    const order = {
      from: new Date(Date.now() - DAY_MS),
      until: new Date(Date.now() + DAY_MS),
      extensions: ["subjectAltName=IP:127.0.0.1"],
    };
    return [await authority.issue({ name: "one", ...order }), await authority.issue({ name: "other", ...order })] as const;
  };
  const server = (): Record<string, string> => ({ SERVICE_MODE: "server", SERVICE_LICENSE_KEY: licence(30) });
  const rows: [what: string, start: () => Promise<{ code: number | null; output: string }>, reason: RegExp][] = [
    ["server mode on Community", () => ended(["--mode=server"]), /server mode needs the Personal edition or above.*Community/],
    [
      "server mode with a licence that ended long ago",
      () => ended(["--mode=server"], { SERVICE_LICENSE_KEY: licence(-20) }),
      /server mode needs the Personal edition or above/,
    ],
    ["an agent without --server", () => ended(["--mode=agent"]), /--server=grpcs:\/\/HOST/],
    [
      "an agent without identity and token",
      () => ended(["--mode=agent", "--server=grpcs://127.0.0.1:1"]),
      /no identity in .* and no enrollment token.*SERVICE_ENROLLMENT_TOKEN/,
    ],
    [
      "an agent with a label of 65 characters",
      () => ended(["--mode=agent", "--server=grpcs://127.0.0.1:1", `--label=${"x".repeat(65)}`]),
      /--label.*64/,
    ],
    [
      "an agent that would speak without TLS to another host",
      () => ended(["--mode=agent", "--server=grpc://198.51.100.1:8443", "--enrollment-token=svc_enr_x"]),
      /without TLS|plaintext/,
    ],
    [
      "a certificate without its key",
      async () => ended([], { ...server(), SERVICE_GRPC_TLS_CERT: (await files())[0].certFile }),
      /SERVICE_GRPC_TLS_CERT and SERVICE_GRPC_TLS_KEY: one is of no use without the other/,
    ],
    [
      "a key without its certificate",
      async () => ended([], { ...server(), SERVICE_GRPC_TLS_KEY: (await files())[0].keyFile }),
      /one is of no use without the other/,
    ],
    [
      "the key of another certificate",
      async () => {
        const [one, other] = await files();
        return ended([], { ...server(), SERVICE_GRPC_TLS_CERT: one.certFile, SERVICE_GRPC_TLS_KEY: other.keyFile });
      },
      /is not the key of the first certificate in/,
    ],
    [
      "a certificate file that is not there",
      async () => ended([], { ...server(), SERVICE_GRPC_TLS_CERT: "/nonexistent.pem", SERVICE_GRPC_TLS_KEY: (await files())[0].keyFile }),
      /SERVICE_GRPC_TLS_CERT: \/nonexistent\.pem cannot be read/,
    ],
  ];
  for (const [what, start, reason] of rows)
    it(what, async () => {
      const { code, output } = await start();
      assert.equal(code, 2, output);
      assert.match(output, reason);
      assert.doesNotMatch(output, /\n {4}at /);
    });
});

describe("a licence that is lost while agents stream", () => {
  const running: { stop(): Promise<unknown> }[] = [];
  after(async () => {
    for (const each of running.toReversed()) await each.stop();
  });

  it("ends their streams with edition_required; they ask again slowly, and are taken again when there is a licence", async () => {
    const keyFile = join(temporaryFolder(), "key");
    writeFileSync(keyFile, licence(30));
    const server = await startServer({ env: { ...NO_ENGINE, SERVICE_LICENSE_KEY: "", SERVICE_LICENSE_KEY_FILE: keyFile } });
    running.push(server);
    const { token } = await makeToken(server);
    const spare = await makeToken(server);
    const env = { ...NO_ENGINE, SERVICE_ENROLLMENT_TOKEN: token };
    const agent = startAgent({ server: server.grpcUrl, env });
    running.push(agent);
    await connectedAgent(server);
    assert.equal(await healthcheck(agent), 0);

    const change = (days: number): void => {
      writeFileSync(keyFile, licence(days));
      server.process.kill("SIGHUP");
    };
    change(-20);
    const [, waitMs] = await until(() => /"code":"edition_required".*"again_in_ms":(\d+)/.exec(agent.log()), {
      withinMs: 30_000,
      everyMs: 100,
    });
    assert.ok(Number(waitMs) >= 450_000 && Number(waitMs) <= 750_000, waitMs);
    assert.match(agent.log(), /Personal edition/);
    assert.equal(agent.process.exitCode, null);
    // Not connected is no illness of the agent: a restart would not help.
    assert.equal(await healthcheck(agent), 0);
    assert.equal((await fetch(`${server.url}/api/v1/agents`)).status, 403);

    // Nobody can enroll meanwhile, and the token is not used up by trying.
    const newcomer = startAgent({
      server: server.grpcUrl,
      env: { ...NO_ENGINE, SERVICE_ENROLLMENT_TOKEN: spare.token, SERVICE_LABEL: "late" },
    });
    await until(() => /edition_required/.test(newcomer.log()), { withinMs: 60_000, everyMs: 100 });
    await newcomer.stop();

    change(30);
    await until(async () => (await fetch(`${server.url}/api/v1/agents`)).status === 200, { everyMs: 100 });
    // It would come by itself within its ten minutes; who does not want to wait starts it again.
    await agent.stop();
    for (const [label, facts] of [
      [undefined, { dataDir: agent.dataDir, env }],
      ["late", { env: { ...NO_ENGINE, SERVICE_ENROLLMENT_TOKEN: spare.token, SERVICE_LABEL: "late" } }],
    ] as const) {
      running.push(startAgent({ server: server.grpcUrl, ...facts }));
      await connectedAgent(server, label === undefined ? {} : { label });
    }
    assert.equal((await server.get<AgentList>("/api/v1/agents")).total, 2);
  });
});

describe("the health check of an agent", () => {
  let server: ServerProgram | undefined;
  let agent: AgentProgram | undefined;
  after(async () => {
    await agent?.stop();
    await server?.stop();
  });

  it("is bad before it runs, good while it does, and bad when it was revoked", async () => {
    server = await startServer({ env: NO_ENGINE });
    const dataDir = temporaryFolder();
    assert.equal(await healthcheck({ dataDir }), 1);
    const { token } = await makeToken(server);
    agent = startAgent({ server: server.grpcUrl, dataDir, env: { ...NO_ENGINE, SERVICE_ENROLLMENT_TOKEN: token } });
    const { id } = await connectedAgent(server);
    assert.equal(await healthcheck({ dataDir }), 0);
    const revoked = await fetch(`${server.url}/api/v1/agents/${id}/revoke`, { method: "POST" });
    assert.equal(revoked.status, 200);
    await until(() => /"code":"agent_revoked"/.test(agent?.log() ?? ""), { everyMs: 100 });
    await until(async () => (await healthcheck({ dataDir })) === 1, { everyMs: 200 });
    // It stays, and is silent: if it ended, whatever restarts it would have it ask again and again.
    assert.equal(agent.process.exitCode, null);
    assert.equal(await agent.stop(), 0);
    assert.equal(await healthcheck({ dataDir }), 1);
  });
});

/** As a container's health check asks. */
async function healthcheck({ dataDir }: Pick<AgentProgram, "dataDir">): Promise<number | null> {
  const { code } = await ended(["healthcheck", "--mode=agent"], { SERVICE_DATA_DIR: dataDir, SERVICE_SERVER: "grpcs://127.0.0.1:1" });
  return code;
}
