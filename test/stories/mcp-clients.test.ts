import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { UnauthorizedError } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import * as oauth from "oauth4webapi";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { ConnectionList, ConnectionRecord } from "../../src/mcp/oauth/answers.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { importBusybox } from "../support/images.ts";
import { createInspector } from "../support/mcp-inspector.ts";
import { discoverOAuth } from "../support/mcp-oauth.ts";
import { decide } from "../support/mcp-person.ts";
import { type McpProgram, startMcpProgram } from "../support/mcp-program.ts";
import { type Connected, connectSdk, createAccount, listAll, PROTOCOLS, type SdkAccount } from "../support/mcp-sdk.ts";
import { callEachTool, checkAnswer, type Known, TOOL_NAMES, TOOL_ROWS } from "../support/mcp-tools.ts";
import { fillHost, type WatchedHost, RUNBOOK } from "../support/mcp-watched-host.ts";
import { repetitions } from "../support/repetitions.ts";
import { until } from "../support/until.ts";

const BOTH_SCOPES = "monitor:read alerts:write";
/** What a person ticks who grants all that is asked. */
const EVERYTHING = { ticks: ["alerts:write"] };
const PROMPTS = ["incident_review", "morning_check"];

/** Clients that others made come to the whole program on a real host: from the address alone to a refusal after the person ended it. */
describe("the real clients of MCP", () => {
  let engine: TestEngine;
  let program: McpProgram;
  let host: WatchedHost;
  const since = new Date(Date.now() - 60_000).toISOString();

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    program = await startMcpProgram({ env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_CONTAINER_DOWN_AFTER: "1s" } });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    host = await fillHost(engine, program, { alerts: PROTOCOLS.length + 2 });
  });

  after(async () => {
    await program?.stop();
    await host?.containers.removeAll();
    await engine?.stop();
  });

  /** With an alert that nobody has acknowledged yet. */
  async function known(): Promise<Known> {
    const { alerts } = await program.get<ActiveAlerts>("/api/v1/alerts/active");
    const alert = alerts.find(({ event, acknowledged_at: at }) => event === "down" && at === null);
    assert.ok(alert !== undefined, "every alert is acknowledged");
    return { container: host.web, endpointId: host.endpointId, alert: { id: alert.id, entityName: alert.entity_name }, since };
  }
  const connections = async (): Promise<ConnectionRecord[]> => (await program.get<ConnectionList>("/api/v1/mcp/connections")).connections;
  /** The connection that was made last. */
  async function newest(): Promise<ConnectionRecord> {
    const [first] = await connections();
    assert.ok(first !== undefined, "there is no connection");
    return first;
  }
  async function endConnection({ id }: ConnectionRecord): Promise<void> {
    const answer = await fetch(`${program.url}/api/v1/mcp/connections/${id}`, { method: "DELETE" });
    assert.equal(answer.status, 204, await answer.text());
  }

  for (const protocol of PROTOCOLS) {
    it(`the SDK's client speaks ${protocol.version}; ${protocol.validator} holds its answers to their schemas`, async () => {
      const account = createAccount();
      let { client, transport } = await connectSdk(program, { protocol, account });
      try {
        assert.equal(client.getNegotiatedProtocolVersion(), protocol.version);
        assert.match(client.getInstructions() ?? "", /⟦/);
        assert.deepEqual([account.asked.length, account.tokens()?.scope], [1, "monitor:read"]);

        const about = await known();
        const listed = await listAll(client);
        assert.deepEqual(listed.tools, TOOL_NAMES);
        assert.deepEqual(listed.prompts, PROMPTS);
        assert.ok(listed.resources.includes(`binnacle://containers/${host.web.id}`), listed.resources.join(" "));
        assert.deepEqual(listed.templates, ["binnacle://alerts/{id}", "binnacle://containers/{id}", "binnacle://containers/{id}/runbook"]);
        // A result that is not as its schema says makes the client throw.
        await callEachTool(about, async (name, args) => {
          const call = (): ReturnType<typeof client.callTool> => client.callTool({ name, arguments: args });
          if (name !== "acknowledge_alert") return call();
          await grantMore(account, transport, call);
          // A session belongs to the grant under which it was begun; a host that learns this begins another.
          if (transport.sessionId !== undefined) {
            await client.close();
            ({ client, transport } = await connectSdk(program, { protocol, account }));
          }
          return call();
        });
        await readEachResource((uri) => client.readResource({ uri }), about);
        for (const name of PROMPTS)
          assert.ok((await client.getPrompt({ name, arguments: promptArguments(name, about) })).messages.length > 0, name);

        const connection = await newest();
        assert.partialDeepStrictEqual(connection, { client_name: `sdk ${protocol.version}`, status: "active" });
        assert.deepEqual(new Set(connection.scopes), new Set(BOTH_SCOPES.split(" ")));

        const [old, given] = [account.tokens()?.refresh_token, account.given.length];
        account.replace({ access_token: "expired" });
        await client.callTool({ name: "get_health", arguments: {} });
        assert.equal(account.given.length, given + 1);
        assert.notEqual(account.tokens()?.refresh_token, old);
        assert.equal(account.asked.length, 2, "the person was asked again");
        assert.equal((await newest()).id, connection.id);

        await endConnection(connection);
        await assert.rejects(client.callTool({ name: "get_health", arguments: {} }), UnauthorizedError);
        assert.equal(account.asked.length, 3, "the person would have to be asked again");
        assert.equal((await newest()).status, "revoked");
      } finally {
        await client.close();
      }
    });
  }

  const promptArguments = (name: string, { alert }: Known): Record<string, string> =>
    name === "incident_review" ? { alert_id: String(alert.id) } : {};

  /** A call that needs more than was granted: the client sends the person to the page again, and has it after that. */
  async function grantMore(account: SdkAccount, transport: Connected["transport"], call: () => Promise<unknown>): Promise<void> {
    const before_ = await unacknowledged();
    await assert.rejects(call(), UnauthorizedError);
    assert.deepEqual(await unacknowledged(), before_);
    const asked = account.asked.at(-1);
    assert.ok(asked !== undefined);
    assert.deepEqual(new Set(asked.searchParams.get("scope")?.split(" ")), new Set(BOTH_SCOPES.split(" ")));
    await transport.finishAuth((await decide(asked, EVERYTHING)).searchParams);
  }
  const unacknowledged = async (): Promise<number[]> =>
    (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.flatMap(({ id, acknowledged_at: at }) => (at === null ? [] : [id]));

  async function readEachResource(
    read: (uri: string) => Promise<{ contents: { uri: string; text?: string }[] }>,
    { container, alert }: Known,
  ): Promise<void> {
    const expected: [string, string][] = [
      [`binnacle://containers/${container.id}`, container.name],
      [`binnacle://containers/${container.id}/runbook`, RUNBOOK],
      [`binnacle://alerts/${alert.id}`, alert.entityName],
    ];
    for (const [uri, shown] of expected) {
      const { contents } = await read(uri);
      assert.deepEqual(
        contents.map((each) => each.uri),
        [uri],
      );
      assert.ok(contents[0]?.text?.includes(shown), `${uri} does not show ${shown}: ${contents[0]?.text}`);
    }
  }

  it("the command line of the Inspector", { timeout: 300_000 }, async () => {
    const inspector = createInspector(program.mcpUrl);
    const first = await inspector.run(["--method", "tools/list", "--strict"], EVERYTHING);
    assert.equal(first.exitCode, 0, first.errors);
    assert.ok(first.asked !== undefined, "the person was asked");
    const listed = first.output as { result: { tools: { name: string }[] } };
    assert.deepEqual(listed.result.tools.map(({ name }) => name).sort(), TOOL_NAMES);
    const connection = await newest();
    assert.equal(connection.status, "active");

    /** With the tokens of the first time: nobody is asked. */
    async function run<Output>(...args: string[]): Promise<Output> {
      const { exitCode, errors, output, asked } = await inspector.run([...args, "--stored-auth-only"]);
      assert.equal(exitCode, 0, `${args.join(" ")}: ${errors}`);
      assert.equal(asked, undefined);
      // The Inspector prints what the protocol says.
      return (output as { result: Output }).result;
    }
    const about = await known();
    // A process for each call: in the gate some, which the SDK's client calls all.
    const called = Object.entries(TOOL_ROWS).filter((_, index) => index % repetitions({ gate: 20, long: 1 }) === 0);
    for (const [name, row] of called) {
      const args = JSON.stringify(row.with(about));
      checkAnswer(name, about, await run("--method", "tools/call", "--tool-name", name, "--tool-args-json", args));
    }
    const { prompts } = await run<{ prompts: { name: string }[] }>("--method", "prompts/list");
    assert.deepEqual(prompts.map(({ name }) => name).sort(), PROMPTS);
    const { resources } = await run<{ resources: { uri: string }[] }>("--method", "resources/list");
    assert.ok(resources.some(({ uri }) => uri === `binnacle://containers/${host.web.id}`));
    await readEachResource((uri) => run("--method", "resources/read", "--uri", uri), about);
    // The newest protocol, too: without a word it speaks the one before.
    await run("--protocol-era", "modern", "--method", "tools/call", "--tool-name", "get_health");

    // It refreshes before it calls, when it is to use what it keeps.
    const kept = inspector.tokens();
    const call = ["--method", "tools/call", "--tool-name", "get_health"];
    const refreshed = await inspector.run(["--use-stored-auth", ...call]);
    assert.equal(refreshed.exitCode, 0, refreshed.errors);
    assert.notDeepEqual(inspector.tokens(), kept);
    assert.equal((await newest()).id, connection.id);

    // It revokes nothing itself, since it keeps no metadata of the server: the person ends it on the page.
    await endConnection(connection);
    for (const how of ["--stored-auth-only", "--use-stored-auth"]) {
      const refused = await inspector.run([how, ...call], { decision: "deny" });
      assert.notEqual(refused.exitCode, 0, refused.errors);
    }
  });

  it("oauth4webapi, which knows the RFCs and nothing of MCP", async () => {
    const client = await discoverOAuth(program);
    assert.equal(client.resource.resource, program.mcpUrl);
    assert.deepEqual(client.server.code_challenge_methods_supported, ["S256"]);
    assert.equal(client.server.authorization_response_iss_parameter_supported, true);
    assert.equal(client.server.registration_endpoint, undefined);

    const tokens = await client.authorize(BOTH_SCOPES, EVERYTHING);
    assert.partialDeepStrictEqual(tokens, { token_type: "bearer", expires_in: 3600 });
    type Listed = { result: { tools: { name: string; outputSchema: Record<string, unknown> }[] } };
    const { result } = (await client.call(tokens.access_token, "tools/list")) as Listed;
    assert.deepEqual(result.tools.map(({ name }) => name).sort(), TOOL_NAMES);
    const validator = new AjvJsonSchemaValidator();
    type Called = { result: Parameters<typeof checkAnswer>[2] };
    await callEachTool(await known(), async (name, args) => {
      const answer = ((await client.call(tokens.access_token, "tools/call", { name, arguments: args })) as Called).result;
      const schema = result.tools.find((each) => each.name === name)?.outputSchema ?? {};
      const checked = validator.getValidator(schema)(answer.structuredContent);
      assert.ok(checked.valid, `${name}: ${checked.errorMessage}`);
      return answer;
    });

    const fresh = await client.refresh(tokens.refresh_token ?? "");
    await client.call(fresh.access_token, "tools/list");
    // Whoever comes with a used one may have stolen it: nobody may continue.
    await assert.rejects(client.refresh(tokens.refresh_token ?? ""), { error: "invalid_grant" });
    await assert.rejects(client.call(fresh.access_token, "tools/list"), isChallenge("invalid_token"));

    const again = await client.authorize(BOTH_SCOPES, EVERYTHING);
    await client.call(again.access_token, "tools/list");
    await client.revoke(again.refresh_token ?? "");
    await assert.rejects(client.call(again.access_token, "tools/list"), isChallenge("invalid_token"));
    await assert.rejects(client.refresh(again.refresh_token ?? ""), { error: "invalid_grant" });
    assert.equal((await newest()).status, "revoked");
  });

  it("a person who denies is reported to the client, and nothing is granted", async () => {
    const earlier = await connections();
    const client = await discoverOAuth(program);
    await assert.rejects(client.authorize(BOTH_SCOPES, { decision: "deny" }), (error: unknown) => {
      assert.ok(error instanceof oauth.AuthorizationResponseError);
      assert.equal(error.error, "access_denied");
      return true;
    });
    assert.deepEqual(await connections(), earlier);
  });

  function isChallenge(fault: string): (error: unknown) => boolean {
    return (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, String(error));
      const [challenge] = error.cause;
      assert.equal(challenge?.scheme, "bearer");
      assert.equal(challenge.parameters.error, fault);
      assert.match(challenge.parameters["resource_metadata"] ?? "", /\/\.well-known\/oauth-protected-resource\/mcp$/);
      return true;
    };
  }
});
