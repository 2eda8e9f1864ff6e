import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "./config.ts";

function mcp(env: Record<string, string>, argv: string[] = []) {
  const start = parseConfig({ argv, env });
  return "config" in start ? start.config.mcp : undefined;
}

const CREDENTIALS = { SERVICE_MCP_CLIENT_ID: "assistant", SERVICE_MCP_CLIENT_SECRET: "s3cret-of-the-client" };

describe("the options of the MCP server", () => {
  it("are off unless asked for, whatever else is set", () => {
    assert.equal(mcp({}), undefined);
    assert.equal(mcp(CREDENTIALS), undefined);
  });

  it("hold a client, whose secret is never printed", () => {
    const config = mcp({
      SERVICE_MCP: "true",
      ...CREDENTIALS,
      SERVICE_MCP_REDIRECT_URIS: "https://assistant.example/callback,app.example:/done",
    });
    assert.ok(config?.kind === "oauth");
    assert.deepEqual(config.redirectUris, ["https://assistant.example/callback", "app.example:/done"]);
    assert.equal(config.clientSecret.reveal(), "s3cret-of-the-client");
    assert.doesNotMatch(JSON.stringify(config), /s3cret/);
  });

  it("ask for a token when there is a client, whatever is set for those without", () => {
    assert.equal(mcp({ SERVICE_MCP: "true", SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true", ...CREDENTIALS })?.kind, "oauth");
    assert.equal(mcp({ SERVICE_MCP: "true", SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" })?.kind, "open");
  });

  it("need no credentials over standard input and output", () => {
    assert.equal(mcp({ SERVICE_MCP: "true" }, ["--mcp-stdio"]), undefined);
  });

  it("do not start a second agent where an assistant asks for one that answers", () => {
    assert.throws(() => mcp({ SERVICE_MODE: "agent" }, ["--mcp-stdio"]), /--mcp-stdio: an agent answers no assistant/);
    assert.equal(mcp({ SERVICE_MODE: "server" }, ["--mcp-stdio"]), undefined);
  });

  it("take no secret that can be guessed", () => {
    for (const secret of ["s", "fifteen-symbols"]) {
      const env = { SERVICE_MCP: "true", ...CREDENTIALS, SERVICE_MCP_CLIENT_SECRET: secret };
      assert.throws(() => mcp(env), /SERVICE_MCP_CLIENT_SECRET: must have 16 to 512 printable ASCII characters/);
    }
    assert.ok(mcp({ SERVICE_MCP: "true", ...CREDENTIALS, SERVICE_MCP_CLIENT_SECRET: "sixteen-symbols!" }));
  });

  const { SERVICE_MCP_CLIENT_ID, SERVICE_MCP_CLIENT_SECRET } = CREDENTIALS;
  for (const [what, env, message] of [
    ["without credentials", {}, /: SERVICE_MCP_CLIENT_ID and SERVICE_MCP_CLIENT_SECRET: /],
    ["without the secret", { SERVICE_MCP_CLIENT_ID }, /: SERVICE_MCP_CLIENT_SECRET: /],
    ["without the id", { SERVICE_MCP_CLIENT_SECRET }, /: SERVICE_MCP_CLIENT_ID: /],
    [
      "with half of them, though all are let in",
      { SERVICE_MCP_CLIENT_ID, SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" },
      /: SERVICE_MCP_CLIENT_SECRET: /,
    ],
    ...(
      [
        ["https://a.example/#part", /fragment/],
        ["https://me@a.example/", /user name/],
        ["http://a.example/", /not secure/],
        ["http://127.evil.example/", /not secure/],
        ["javascript:alert(1)", /nothing is sent/],
        ["/callback", /absolute/],
      ] as const
    ).map(([uri, fault]) => [`with ${uri}`, { ...CREDENTIALS, SERVICE_MCP_REDIRECT_URIS: uri }, fault] as const),
  ] as const) {
    it(`are refused ${what}`, () => {
      assert.throws(() => mcp({ SERVICE_MCP: "true", ...env }), message);
    });
  }
});
