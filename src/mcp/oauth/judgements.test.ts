import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { judgeAuthorization } from "./authorization.ts";
import { authenticate } from "./client.ts";
import { type GivenCode, judgeCode, judgeRefresh, type RefreshUse } from "./grant.ts";
import { type Parameters, readParameters, OAuthFault } from "./parameters.ts";
import { hashOf } from "./token.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);
const s256 = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

describe("a request for authorization", () => {
  const rules = { clientId: "assistant", redirectUris: ["https://assistant.example.org/cb"], resource: "https://monitor.example.org/mcp" };
  const right = {
    response_type: "code",
    client_id: "assistant",
    redirect_uri: "http://localhost:1234/cb",
    state: "s",
    code_challenge: s256("x".repeat(43)),
    code_challenge_method: "S256",
  };
  const judge = (changes: Record<string, string>, more: [string, string][] = []) =>
    judgeAuthorization(readParameters([...Object.entries({ ...right, ...changes }), ...more]), rules);

  it("is asked with the least scope unless it says which", () => {
    for (const [scope, scopes] of [
      ["", ["monitor:read"]],
      ["alerts:write monitor:read", ["monitor:read", "alerts:write"]],
    ] as const) {
      const judgement = judge({ scope });
      assert.deepEqual(judgement, {
        kind: "asked",
        request: { redirectUri: right.redirect_uri, state: "s", scopes, challenge: right.code_challenge },
      });
    }
  });

  for (const [what, changes, more] of [
    ["no client_id", { client_id: "" }],
    ["another client_id", { client_id: "Assistant" }],
    ["two client_ids", {}, [["client_id", "assistant"]]],
    ["no redirect_uri", { redirect_uri: "" }],
    ["another redirect_uri", { redirect_uri: "https://assistant.example.org/other" }],
    ["two redirect_uris", {}, [["redirect_uri", "https://assistant.example.org/cb"]]],
  ] as [string, Record<string, string>, [string, string][]?][]) {
    it(`is shown only to the user with ${what}`, () => assert.equal(judge({ ...changes, scope: "unknown" }, more).kind, "refused"));
  }

  for (const [what, error, changes, more] of [
    ["no challenge", "invalid_request", { code_challenge: "" }],
    ["a challenge that is none", "invalid_request", { code_challenge: "x".repeat(42) }],
    ["no method, which means plain", "invalid_request", { code_challenge_method: "" }],
    ["plain", "invalid_request", { code_challenge_method: "plain" }],
    ["s256", "invalid_request", { code_challenge_method: "s256" }],
    ["no response_type", "invalid_request", { response_type: "" }],
    ["the implicit flow", "unsupported_response_type", { response_type: "token" }],
    ["a hybrid flow", "unsupported_response_type", { response_type: "code token" }],
    ["a fragment as answer", "invalid_request", { response_mode: "fragment" }],
    ["an unknown scope", "invalid_scope", { scope: "monitor:read root" }],
    ["another resource", "invalid_target", { resource: "https://other.example.org/mcp" }],
    ["a resource of this host that is not /mcp", "invalid_target", { resource: "https://monitor.example.org/" }],
    ["two resources", "invalid_target", { resource: rules.resource }, [["resource", "https://other.example.org/mcp"]]],
    ["a scope twice", "invalid_request", { scope: "monitor:read" }, [["scope", "monitor:read"]]],
    ["something unknown twice", "invalid_request", { x: "1" }, [["x", "1"]]],
  ] as [string, string, Record<string, string>, [string, string][]?][]) {
    it(`is returned as ${error} with ${what}`, () => {
      const judgement = judge(changes, more);
      assert.ok(judgement.kind === "returned");
      assert.deepEqual([judgement.fault.error, judgement.redirectUri, judgement.state], [error, right.redirect_uri, "s"]);
      // What RFC 6749 permits in a description.
      assert.match(judgement.fault.description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    });
  }

  it("is returned without a state that is there twice", () => {
    const judgement = judge({}, [["state", "t"]]);
    assert.ok(judgement.kind === "returned");
    assert.deepEqual([judgement.fault.error, judgement.state], ["invalid_request", undefined]);
  });

  it("may name the resource in another spelling of its host, and more than once", () => {
    for (const resource of [rules.resource, "HTTPS://Monitor.Example.org:443/mcp"]) {
      assert.equal(judge({ resource }, [["resource", rules.resource]]).kind, "asked", resource);
    }
  });
});

describe("the client", () => {
  const id = "assistant: 1";
  const secret = "a+b/c%20d:é";
  const client = { id, secretHash: hashOf(secret) };
  const none = readParameters([]);
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
  const encoded = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");
  const faultOf = (authorization: string | undefined, parameters: Parameters): string | undefined => {
    try {
      authenticate(client, authorization, parameters);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof OAuthFault);
      return error.code;
    }
  };

  it("authenticates by HTTP Basic with both halves encoded as in a form", () => {
    assert.equal(faultOf(basic(`${encoded(id)}:${encoded(secret)}`), none), undefined);
    assert.equal(
      faultOf(basic(`${encoded(id)}:${encoded(secret)}`).replace("Basic", "basic"), readParameters([["client_id", id]])),
      undefined,
    );
  });

  it("authenticates by HTTP Basic with both halves as they are, where the id has no colon", () => {
    const plain = { id: "plain", secretHash: hashOf("a+b/c=%") };
    authenticate(plain, basic("plain:a+b/c=%"), none);
    assert.throws(() => authenticate(plain, basic("plain:a b/c=%"), none), OAuthFault);
  });

  it("authenticates by parameters of the body", () =>
    assert.equal(
      faultOf(
        undefined,
        readParameters([
          ["client_id", id],
          ["client_secret", secret],
        ]),
      ),
      undefined,
    ));

  for (const [what, code, authorization, parameters] of [
    ["nothing", "invalid_client", undefined, []],
    ["an id alone", "invalid_client", undefined, [["client_id", id]]],
    ["a secret alone", "invalid_client", undefined, [["client_secret", secret]]],
    [
      "another secret",
      "invalid_client",
      undefined,
      [
        ["client_id", id],
        ["client_secret", `${secret}x`],
      ],
    ],
    [
      "another id",
      "invalid_client",
      undefined,
      [
        ["client_id", "other"],
        ["client_secret", secret],
      ],
    ],
    [
      "an empty secret",
      "invalid_client",
      undefined,
      [
        ["client_id", id],
        ["client_secret", ""],
      ],
    ],
    ["another secret in Basic", "invalid_client", basic(`${encoded(id)}:x`), []],
    ["an empty Basic", "invalid_client", "Basic ", []],
    ["Basic without a colon", "invalid_client", basic("assistant"), []],
    ["Basic that is not base64", "invalid_client", "Basic ???", []],
    ["a bearer token", "invalid_client", "Bearer abc", []],
    [
      "both methods",
      "invalid_request",
      basic(`${encoded(id)}:${encoded(secret)}`),
      [
        ["client_id", id],
        ["client_secret", secret],
      ],
    ],
    ["two ids", "invalid_request", basic(`${encoded(id)}:${encoded(secret)}`), [["client_id", "other"]]],
  ] as [string, string, string | undefined, [string, string][]][]) {
    it(`is refused with ${what}`, () => assert.equal(faultOf(authorization, readParameters(parameters)), code));
  }

  it("is refused in the same words whichever of the two is wrong", () => {
    const messages = [
      ["other", secret],
      [id, "other"],
      ["other", "other"],
    ].map(([given = "", word = ""]) => {
      try {
        authenticate(client, basic(`${encoded(given)}:${encoded(word)}`), none);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : undefined;
      }
    });
    assert.equal(new Set(messages).size, 1);
    assert.ok(messages[0] !== undefined);
  });
});

describe("a code", () => {
  const verifier = "v".repeat(43);
  const code: GivenCode = {
    clientId: "assistant",
    redirectUri: "http://localhost/cb",
    challenge: s256(verifier),
    scopes: ["monitor:read"],
    resource: "https://monitor.example.org/mcp",
    createdAt: now,
    expiresAt: later(600_000),
    consumedAt: null,
  };
  const use = { clientId: code.clientId, redirectUri: code.redirectUri, verifier, resource: code.resource };

  it("is good until it expires, with all it is bound to", () => {
    assert.equal(judgeCode(code, use, now), "good");
    assert.equal(judgeCode(code, use, later(599_999)), "good");
    assert.equal(judgeCode(code, use, later(600_000)), "refused");
  });

  for (const [what, change] of [
    ["of another client", { clientId: "other" }],
    ["with another redirect address", { redirectUri: "http://localhost/cb/" }],
    ["with another verifier", { verifier: "w".repeat(43) }],
    ["for another resource", { resource: "https://other.example.org/mcp" }],
  ] as const) {
    it(`is refused ${what}`, () => assert.equal(judgeCode(code, { ...use, ...change }, now), "refused"));
  }

  it("is replayed when it was used, also wrongly or after its time", () => {
    const used = { ...code, consumedAt: now };
    for (const change of [{}, { verifier: "" }, { redirectUri: "x" }])
      assert.equal(judgeCode(used, { ...use, ...change }, later(700_000)), "replayed");
    assert.equal(judgeCode(used, { ...use, clientId: "other" }, now), "refused");
  });
});

describe("a refresh token", () => {
  const token = { clientId: "a", resource: "r", scopes: ["monitor:read"] as const, expiresAt: later(1000), consumedAt: null };
  const use = { clientId: "a", resource: "r", scopes: undefined };

  for (const [what, verdict, given, asked, at] of [
    ["as it is", "good", {}, {}, now],
    ["at its last moment", "good", {}, {}, later(999)],
    ["at its end", "refused", {}, {}, later(1000)],
    ["of another client", "refused", {}, { clientId: "b" }, now],
    ["of another client, after it was used", "refused", { consumedAt: now }, { clientId: "b" }, now],
    ["for another address of this server", "refused", {}, { resource: "s" }, now],
    ["a second time", "replayed", { consumedAt: now }, {}, now],
    ["a second time after its end", "replayed", { consumedAt: now }, {}, later(5000)],
    ["with the same scope", "good", {}, { scopes: ["monitor:read"] }, now],
    ["with more scope", "too_wide", {}, { scopes: ["monitor:read", "alerts:write"] }, now],
    ["with other scope", "too_wide", {}, { scopes: ["alerts:write"] }, now],
  ] as [string, string, Partial<{ consumedAt: Date }>, Partial<RefreshUse>, Date][]) {
    it(`${what} is ${verdict}`, () => assert.equal(judgeRefresh({ ...token, ...given }, { ...use, ...asked }, at), verdict));
  }
});
