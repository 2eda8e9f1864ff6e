import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectedAgent, makeToken, startAgent, startServer } from "../support/agent-program.ts";
import { temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

test("an agent started as the printed command says knows its server again after a restart, and no other", async (t) => {
  const dataDir = temporaryFolder();
  let server = await startServer({ dataDir });
  t.after(() => server.stop());
  const { grpcPort } = server;
  const made = await makeToken(server);
  const fingerprint = /--server-fingerprint=(sha256:[0-9a-f]{64})\n/.exec(made.install_templates.docker_run)?.[1] ?? "";
  assert.ok(!JSON.stringify(made).includes("skip-tls-verify"));
  const agent = startAgent({
    server: server.grpcUrl,
    env: {
      SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "false",
      SERVICE_SERVER_FINGERPRINT: fingerprint,
      SERVICE_ENROLLMENT_TOKEN: made.token,
      SERVICE_DOCKER_HOST: "unix:///nowhere.sock",
    },
  });
  t.after(() => agent.stop());
  await connectedAgent(server);

  await server.stop();
  server = await startServer({ dataDir, grpcPort });
  await connectedAgent(server);

  await server.stop();
  rmSync(join(dataDir, "grpc-certificate.pem"));
  assert.doesNotMatch(server.log(), /a new certificate/);
  server = await startServer({ dataDir, grpcPort });
  assert.match(server.log(), /made itself a new certificate, which the agents that know the one before refuse/);
  await until(() => agent.log().includes("SERVICE_SERVER_FINGERPRINT"), { withinMs: 60_000, what: "the other certificate refused" });
  const { agents } = await server.get<{ agents: { connection_state: string }[] }>("/api/v1/agents");
  assert.deepEqual(
    agents.map(({ connection_state }) => connection_state === "connected"),
    [false],
  );
});
