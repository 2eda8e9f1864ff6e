import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { modernRequest } from "../support/mcp-oauth.ts";
import { CLIENT, startMcpProgram } from "../support/mcp-program.ts";
import { takePort } from "../support/ports.ts";
import { type ProgramProcess, spawnProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const NO_ENGINE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };

describe("how MCP is started", () => {
  const refused: [what: string, env: Record<string, string>, names: string[], silent: string[]][] = [
    ["neither credential", {}, ["SERVICE_MCP_CLIENT_ID", "SERVICE_MCP_CLIENT_SECRET"], []],
    ["no secret", { SERVICE_MCP_CLIENT_ID: CLIENT.id }, ["SERVICE_MCP_CLIENT_SECRET"], ["SERVICE_MCP_CLIENT_ID:", CLIENT.id]],
    ["no id", { SERVICE_MCP_CLIENT_SECRET: CLIENT.secret }, ["SERVICE_MCP_CLIENT_ID"], ["SERVICE_MCP_CLIENT_SECRET:", CLIENT.secret]],
  ];
  for (const [what, env, names, silent] of refused) {
    it(`rule 1: with ${what} the process refuses to listen and names what is missing`, { timeout: 180_000 }, async () => {
      const port = await takePort();
      const program: ProgramProcess = spawnProgram({
        env: { ...NO_ENGINE, SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_MCP: "true", ...env },
        dataDir: temporaryFolder(),
      });
      assert.equal(await program.exited, 2, program.log());
      const [sentence = ""] = program.log().trim().split("\n").slice(-1);
      const missing = sentence.slice(0, sentence.indexOf("needed with"));
      for (const name of names) assert.ok(missing.includes(name), sentence);
      for (const text of silent) assert.ok(!missing.includes(text) && (text.endsWith(":") || !program.log().includes(text)), sentence);
      await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/health`));
    });
  }

  it(
    "rule 2: SERVICE_MCP_ALLOW_UNAUTHENTICATED permits to look without a token, and every start warns of it",
    { timeout: 180_000 },
    async () => {
      const env = { ...NO_ENGINE, SERVICE_MCP: "true", SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" };
      let program = await startProgram({ env });
      for (const start of ["first", "second"]) {
        try {
          const { log } = program;
          const warned = () => warnings(log()).filter((message) => message.includes("SERVICE_MCP_ALLOW_UNAUTHENTICATED"));
          await until(() => warned().length > 0, { what: `the ${start} start to warn` });
          assert.equal(warned().length, 1, `the ${start} start: ${log()}`);
          const call = async (name: string, args: object): Promise<{ status: number; text: string }> => {
            const { body, headers } = modernRequest(1, "tools/call", { name, arguments: args });
            const answer = await fetch(`${program.url}/mcp`, { method: "POST", headers, body });
            return { status: answer.status, text: await answer.text() };
          };
          const looked = await call("get_health", {});
          assert.deepEqual([looked.status, /structuredContent/.test(looked.text)], [200, true], looked.text);
          const acted = await call("acknowledge_alert", { alert_id: 1, acknowledged_by: "Mia" });
          assert.equal(acted.status, 403, acted.text);
          assert.equal((await fetch(`${program.url}/.well-known/oauth-authorization-server`)).status, 404);
        } finally {
          await program.stop();
        }
        if (start === "first") program = await startProgram({ env, dataDir: program.dataDir, port: program.port });
      }
    },
  );

  it("over standard input warns the person, not the assistant, of a variable that is not known", { timeout: 180_000 }, async () => {
    const bridge = spawnProgram({ args: ["--mcp-stdio"], env: { SERVICE_MCP_CLIENT_IDS: "x" }, dataDir: temporaryFolder() });
    assert.equal(await bridge.exited, 0, bridge.log());
    assert.match(bridge.log(), /^binnacle: SERVICE_MCP_CLIENT_IDS is not an option .*SERVICE_MCP_CLIENT_ID\?$/m);
  });

  it("warns of a base URL that no assistant can reach", { timeout: 180_000 }, async () => {
    for (const [baseUrl, count] of [
      ["http://0.0.0.0:8080", 1],
      ["http://127.0.0.1:8080", 0],
    ] as const) {
      const program = await startMcpProgram({ env: { ...NO_ENGINE, SERVICE_BASE_URL: baseUrl } });
      const warned = () => warnings(program.log()).filter((message) => message.includes("SERVICE_BASE_URL")).length;
      await until(() => warned() >= count, { what: `a warning of ${baseUrl}` });
      assert.equal(warned(), count, program.log());
      await program.stop();
    }
  });

  it("rule 2: with credentials too, it warns all the same, and a token is required", { timeout: 180_000 }, async () => {
    const program = await startMcpProgram({ env: { ...NO_ENGINE, SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" } });
    try {
      await until(() => warnings(program.log()).some((message) => message.includes("SERVICE_MCP_ALLOW_UNAUTHENTICATED")));
      const { body, headers } = modernRequest(1, "tools/list");
      assert.equal((await fetch(program.mcpUrl, { method: "POST", headers, body })).status, 401);
    } finally {
      await program.stop();
    }
  });

  it("without SERVICE_MCP there is nothing at its addresses", { timeout: 180_000 }, async () => {
    const program = await startProgram({ env: NO_ENGINE });
    try {
      const { body, headers } = modernRequest(1, "tools/list");
      assert.equal((await fetch(`${program.url}/mcp`, { method: "POST", headers, body })).status, 404);
      for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"])
        assert.equal((await fetch(program.url + path)).status, 404, path);
    } finally {
      await program.stop();
    }
  });
});

/** What was logged as a warning. */
function warnings(log: string): string[] {
  return log.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { level, msg } = JSON.parse(line) as { level: unknown; msg: string };
    return level === "warn" || level === 40 ? [msg] : [];
  });
}
