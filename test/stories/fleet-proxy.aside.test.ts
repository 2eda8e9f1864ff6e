import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { request, type RequestOptions } from "node:https";
import { after, before, it } from "node:test";
import { credentials } from "@grpc/grpc-js";
import { z } from "zod";
import { DAY_MS } from "../../src/contract/time.ts";
import { publicKeyBytes } from "../../src/fleet/handshake.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { type AgentProgram, connectedAgent, type ServerProgram, startAgent, startServer } from "../support/agent-program.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { batchOf, connectClient, enroll, openAuthenticated } from "../support/listener.ts";
import { startNginx, type TestNginx } from "../support/nginx.ts";
import { takePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/program.ts";
import { repetitions } from "../support/repetitions.ts";
import { createAuthority, type Identity } from "../support/tls-authority.ts";
import { until } from "../support/until.ts";

/** Of streams through nginx, in place of five minutes: an agent says something every ten seconds. */
const STREAM_TIMEOUT_SECONDS = 16;
/** For how many of those the stream is watched. */
const TIMEOUTS = repetitions({ gate: 1.5, long: 2.5 });

const token = z.object({
  token: z.string(),
  server_url: z.string(),
  install_templates: z.record(z.string(), z.string()),
  warnings: z.array(z.string()).optional(),
});

let engine: TestEngine;
let containers: TestContainers;
let server: ServerProgram;
let nginx: TestNginx;
let root: Identity;
let port: number;
let agent: AgentProgram | undefined;

before(async () => {
  engine = await startEngine({ own: true });
  await importBusybox(engine);
  containers = createTestContainers(engine);
  const authority = createAuthority(temporaryFolder());
  const times = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
  root = await authority.issue({
    name: "root",
    ...times,
    extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"],
  });
  const leaf = await authority.issue({
    name: "monitor",
    ...times,
    issuer: root,
    extensions: ["subjectAltName=IP:127.0.0.1,DNS:localhost", "basicConstraints=CA:FALSE"],
  });
  port = await takePort();
  server = await startServer({
    env: {
      SERVICE_GRPC_TLS_INSECURE: "true",
      SERVICE_AGENT_RATE_LIMIT_PER_SECOND: "100000",
      SERVICE_TRUSTED_PROXIES: "127.0.0.1",
      SERVICE_BASE_URL: `https://127.0.0.1:${port}`,
    },
  });
  const facts = { port, certFile: leaf.certFile, keyFile: leaf.keyFile, httpPort: server.port, grpcPort: server.grpcPort };
  nginx = await startNginx({ ...facts, streamTimeout: `${STREAM_TIMEOUT_SECONDS}s` });
});

after(async () => {
  await agent?.stop();
  await nginx?.kill();
  await server?.stop();
  await containers?.removeAll();
  await engine?.stop();
});

/** Over the proxy, whose certificate is checked. */
function ask(path: string, options: RequestOptions = {}, body?: object) {
  return new Promise<{ status: number; lines: AsyncGenerator<string>; json(): Promise<unknown> }>((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const asked = request({ host: "127.0.0.1", port, path, ca: root.cert, agent: false, headers, ...options }, (response) => {
      async function* lines(): AsyncGenerator<string> {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) {
          const parts = (text + String(chunk)).split("\n");
          text = parts.pop() ?? "";
          yield* parts;
        }
        yield text;
      }
      resolve({
        status: response.statusCode ?? 0,
        lines: lines(),
        json: async () => JSON.parse((await Array.fromAsync(lines())).join("\n")),
      });
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const makeToken = async () =>
  token.parse(
    await (
      await ask("/api/v1/agents/enrollment-tokens", { method: "POST", headers: { "content-type": "application/json" } }, { ttl_hours: 1 })
    ).json(),
  );
const containerOf = (externalId: string): Promise<ContainerRecord> =>
  until(
    async () => {
      // As declared.
      const { groups } = (await (await ask("/api/v1/containers")).json()) as ContainerList;
      return groups.flatMap((group) => group.containers).find((each) => each.external_id === externalId);
    },
    { withinMs: 60_000, everyMs: 200 },
  );
const connections = (): number => [...server.log().matchAll(/"agent connected"/g)].length;

it("a token made through the proxy names the proxy, and the agent enrolls by it with a certificate that it checks", async () => {
  const made = await makeToken();
  assert.equal(made.server_url, `grpcs://127.0.0.1:${port}`);
  assert.deepEqual(made.warnings, ["public_url_appears_local"]);
  assert.match(made.install_templates["docker_run"] ?? "", new RegExp(`--server=grpcs://127\\.0\\.0\\.1:${port}\\n$`));
  const env = {
    SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "false",
    SERVICE_ENROLLMENT_TOKEN: made.token,
    SERVICE_DOCKER_HOST: engine.host,
    SERVICE_LABEL: "behind",
  };
  // Without the root it does not believe the proxy, and the token is not used up.
  agent = startAgent({ server: made.server_url, env });
  const { log } = agent;
  await until(() => /certificate.*"not connected to the server"/i.test(log()), { withinMs: 60_000, everyMs: 100 });
  await agent.stop();
  agent = startAgent({ server: made.server_url, env: { ...env, SERVICE_CA_CERT: root.certFile } });
  const { label, connection_state: state } = await connectedAgent(server, { label: "behind" });
  assert.deepEqual([label, state], ["behind", "connected"]);
});

it("what happens on its host arrives, and a log is followed to the browser", async () => {
  const externalId = await containers.run("talks", [], "sh", "-c", "i=0; while :; do i=$((i+1)); echo line $i; sleep 0.2; done");
  const { id, agent_id: owner } = await containerOf(externalId);
  assert.equal(owner, (await connectedAgent(server, { label: "behind" })).id);
  const stream = await ask(`/api/v1/containers/${id}/logs/stream?lines=5`);
  assert.equal(stream.status, 200);
  const received: number[] = [];
  for await (const line of stream.lines) {
    const [, number] = /line (\d+)/.exec(line) ?? [];
    if (number !== undefined) received.push(Number(number));
    if (received.length >= 20) break;
  }
  for (const [index, number] of received.entries()) assert.equal(number, (received[0] ?? 0) + index);
});

it(`the stream stays, though nginx ends what is silent for ${STREAM_TIMEOUT_SECONDS} seconds`, async () => {
  const connectedBefore = connections();
  const startedMs = performance.now();
  await until(
    async () => {
      const { connection_state: state } = await connectedAgent(server, { label: "behind" });
      assert.equal(state, "connected");
      return performance.now() - startedMs > TIMEOUTS * STREAM_TIMEOUT_SECONDS * 1000;
    },
    { withinMs: 120_000, everyMs: 1000 },
  );
  assert.equal(connections(), connectedBefore, server.log());
  assert.doesNotMatch(nginx.log(), /timed out/);
});

it("a stream may carry more than nginx takes of a request by default", async (t) => {
  const client = connectClient(t, port, credentials.createSsl(Buffer.from(root.cert)));
  const { privateKey } = generateKeyPairSync("ed25519");
  const { response } = await enroll(client, {
    token: (await makeToken()).token,
    publicKey: publicKeyBytes(privateKey),
    label: "talkative",
  });
  const stream = await openAuthenticated(client, { id: response?.agentId ?? "", privateKey });
  let sent = 0;
  for (let firstSeq = 1; sent < 2 * 1024 * 1024; firstSeq += 1000) {
    const batch = batchOf(1000, { firstSeq });
    sent += batch.length;
    await stream.send(batch);
    assert.equal((await stream.next()).case, "ack");
  }
  stream.cancel();
});

it("a proxy that is restarted is waited for", async () => {
  const connectedBefore = connections();
  await nginx.kill();
  await until(() => /agent disconnected/.test(server.log()), { everyMs: 100 });
  const externalId = await containers.run("meanwhile");
  await nginx.start();
  await until(() => connections() > connectedBefore, { withinMs: 60_000, everyMs: 100 });
  await containerOf(externalId);
});
