import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import { assistantsSearch, CLIENTS } from "./search.ts";
import { httpSnippets, missingRedirect, stdioSnippet, switchOn } from "./snippets.ts";
import { connectionName, placeOf, placeWords, reachesNobody, scopeWords } from "./words.ts";

const on: McpView = {
  enabled: true,
  url: "https://monitor.example.org/mcp",
  authentication: "oauth",
  client_id: "our assistant's",
  redirect_uris: [],
  scopes: ["monitor:read", "alerts:write"],
  stdio: { available: true, reason: null, command: ["docker", "exec", "-i", "binnacle", "node", "/app/main.js", "--mcp-stdio"] },
  tools: [],
  prompts: [],
};
const open: McpView = { ...on, authentication: "none", client_id: null };

/** All that a client's set-up says and has to be copied. */
function texts(view: McpView): string {
  return CLIENTS.flatMap((client) => [...(httpSnippets(client, view) ?? []), stdioSnippet(client, view)])
    .flatMap(({ todo, code, after }) => [todo, code, after ?? ""])
    .join("\n");
}

describe("the address of assistants", () => {
  for (const [url, expected] of [
    ["http://0.0.0.0:8080/mcp", true],
    ["http://[::]:8080/mcp", true],
    ["http://127.0.0.1:8080/mcp", false],
    ["https://monitor.example.org/mcp", false],
  ] as const)
    it(`${url} reaches ${expected ? "nobody" : "this installation"}`, () => assert.equal(reachesNobody(url), expected));
});

describe("the set-up of clients", () => {
  it("a shell reads the client id and the command as they are", () => {
    const [snippet] = httpSnippets("claude-code", on) ?? [];
    assert.equal(
      snippet?.code,
      `claude mcp add --transport http binnacle https://monitor.example.org/mcp --client-id 'our assistant'\\''s' --client-secret`,
    );
    assert.equal(stdioSnippet("claude-code", on).code, "claude mcp add binnacle -- docker exec -i binnacle node /app/main.js --mcp-stdio");
    const spaced = { ...on, stdio: { ...on.stdio, command: ["/opt/my node", "main.js"] } };
    assert.equal(stdioSnippet("other", spaced).code, "'/opt/my node' main.js");
  });

  for (const [client, root, entry] of [
    ["vs-code", "servers", { type: "http", url: on.url }],
    [
      "cursor",
      "mcpServers",
      { url: on.url, auth: { CLIENT_ID: on.client_id, CLIENT_SECRET: "${env:BINNACLE_MCP_SECRET}", scopes: on.scopes } },
    ],
  ] as const) {
    it(`${client} is given JSON in its own shape`, () => {
      assert.deepEqual(JSON.parse(httpSnippets(client, on)?.[0]?.code ?? ""), { [root]: { binnacle: entry } });
      assert.match(stdioSnippet(client, on).code, /"args": \["exec", "-i", .*"--mcp-stdio"\]/);
      const { command, args } = JSON.parse(stdioSnippet(client, on).code)[root].binnacle;
      assert.deepEqual([command, ...args], on.stdio.command);
    });
  }

  it("without authentication credentials are not mentioned", () => {
    assert.match(texts(on), /SERVICE_MCP_CLIENT_SECRET/);
    assert.doesNotMatch(texts(open), /client[- ]id|secret|CLIENT_ID/i);
  });

  it("while it is off over HTTP, only the way on the host is left", () => {
    for (const client of CLIENTS) assert.equal(httpSnippets(client, { ...on, enabled: false, url: null, authentication: null }), undefined);
  });

  it("a redirect that a client needs is added to those that are set", () => {
    assert.equal(missingRedirect("claude-code", on), undefined);
    assert.equal(missingRedirect("claude", open), undefined);
    const some = { ...on, redirect_uris: ["https://a.example.org/x"] };
    assert.equal(
      missingRedirect("cursor", some),
      "SERVICE_MCP_REDIRECT_URIS=https://a.example.org/x,cursor://anysphere.cursor-mcp/oauth/callback",
    );
    assert.equal(missingRedirect("cursor", { ...on, redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] }), undefined);
  });

  it("switching it on names the three variables", () => {
    assert.deepEqual(
      switchOn("abc")
        .split("\n")
        .map((line) => line.split("=")[0]),
      ["SERVICE_MCP", "SERVICE_MCP_CLIENT_ID", "SERVICE_MCP_CLIENT_SECRET"],
    );
  });

  it("an address names a client that is known, or none", () => {
    assert.deepEqual(assistantsSearch({ client: "cursor" }), { client: "cursor" });
    assert.deepEqual(assistantsSearch({ client: "nobody" }), { client: undefined });
  });
});

describe("a connection", () => {
  for (const [uri, place, words] of [
    ["http://127.0.0.1:33418/callback", "127.0.0.1:33418", "a program on its user's computer (127.0.0.1:33418)"],
    ["http://[::1]:9/", "[::1]:9", "a program on its user's computer ([::1]:9)"],
    ["http://localhost:8080/x", "localhost:8080", "a program on its user's computer (localhost:8080)"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor:", "the application that opens cursor: addresses"],
    ["https://claude.ai/api/mcp/auth_callback", "claude.ai", "claude.ai"],
    ["https://127.0.0.1.example.org/", "127.0.0.1.example.org", "127.0.0.1.example.org"],
  ] as const) {
    it(`went to ${uri}`, () => assert.deepEqual([placeOf(uri), placeWords(uri)], [place, words]));
  }

  it("is called by its client, or by where its tokens went", () => {
    const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
    assert.equal(connectionName({ client_name: "Claude Code", redirect_uri }), "Claude Code");
    assert.equal(connectionName({ client_name: null, redirect_uri }), "An assistant at claude.ai");
  });

  it("describes what it may do", () => {
    assert.equal(scopeWords(["monitor:read"]), "reads");
    assert.equal(scopeWords(["monitor:read", "alerts:write"]), "reads and acknowledges alerts");
  });
});
