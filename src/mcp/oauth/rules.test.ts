import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { statusOf } from "./connection.ts";
import { addressesOf, resourceMetadata, serverMetadata } from "./metadata.ts";
import { readForm, readParameters, readQuery } from "./parameters.ts";
import { isChallenge, verifies, isPermittedRedirect, withParameters } from "./authorization.ts";
import { isWithin, readScopes } from "./scopes.ts";
import { hashOf, isToken, newToken } from "./token.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);
const s256 = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

describe("PKCE", () => {
  // The example of RFC 7636, appendix B.
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  it("takes the verifier that the challenge came of", () => {
    assert.ok(verifies(challenge, verifier));
    const characters = fc.constantFrom(..."abcXYZ019-._~");
    fc.assert(
      fc.property(fc.string({ unit: characters, minLength: 43, maxLength: 128 }), (text) => {
        assert.ok(isChallenge(s256(text)));
        assert.ok(verifies(s256(text), text));
        assert.ok(!verifies(s256(text), `${text.slice(1)}${text[0] === "a" ? "b" : "a"}`));
      }),
    );
  });

  for (const [what, text] of [
    ["the challenge itself, as with plain", challenge],
    ["one character less", verifier.slice(1)],
    ["one character more", `${verifier}x`],
    ["another case", verifier.toUpperCase()],
    ["nothing", ""],
  ] as const) {
    it(`refuses as verifier: ${what}`, () => assert.ok(!verifies(challenge, text)));
  }

  it("refuses verifiers of another length or alphabet even if the challenge came of them", () => {
    for (const text of ["short", "x".repeat(42), "x".repeat(129), `${"x".repeat(43)} `, `${"x".repeat(43)}+`])
      assert.ok(!verifies(s256(text), text), text);
  });

  it("takes as challenge what S256 makes, and nothing else", () => {
    assert.ok(isChallenge(challenge));
    for (const text of ["", challenge.slice(1), `${challenge}=`, `${challenge.slice(1)}+`, createHash("sha256").digest("hex")])
      assert.ok(!isChallenge(text), text);
  });
});

describe("redirect addresses", () => {
  const configured = [
    "https://assistant.example.org/callback",
    "cursor://anysphere.cursor-mcp/oauth",
    "https://other.example.org:8443/cb?tenant=1",
  ];

  for (const uri of [
    ...configured,
    "http://127.0.0.1:33418/callback",
    "http://127.0.0.1",
    "http://127.0.0.1:1/",
    "http://[::1]:65535/any/path",
    "http://localhost:6274/oauth/callback/debug",
  ]) {
    it(`permits ${uri}`, () => assert.ok(isPermittedRedirect(uri, configured)));
  }

  for (const uri of [
    // Another port, path, query, fragment, scheme, case; userinfo.
    "https://assistant.example.org:444/callback",
    "https://assistant.example.org:443/callback",
    "https://assistant.example.org/callback/",
    "https://assistant.example.org/callback/../x",
    "https://assistant.example.org/Callback",
    "https://assistant.example.org/callback?x=1",
    "https://assistant.example.org/callback#x",
    "https://assistant.example.org/callback ",
    "http://assistant.example.org/callback",
    "https://user@assistant.example.org/callback",
    "https://assistant.example.org.evil.example/callback",
    "https://assistant.example.org@evil.example/callback",
    "https://other.example.org:8443/cb",
    "cursor://anysphere.cursor-mcp/oauth/x",
    // What is no loopback address, or more than one.
    "http://127.0.0.1:33418/callback#fragment",
    "http://127.0.0.1:33418/callback?code=x",
    "http://user@127.0.0.1:33418/callback",
    "http://user:password@localhost/callback",
    "http://localhost@evil.example/",
    "http://localhost:80@evil.example/",
    "http://localhost\\@evil.example/",
    "http://localhost\\.evil.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://evil.example/127.0.0.1",
    "http://127.0.0.2:80/",
    "http://127.1/",
    "http://0x7f.0.0.1/",
    "http://0.0.0.0/",
    "http://[::1",
    "http://[::2]/",
    "http://localhost:0/",
    "http://localhost:65536/",
    "http://localhost:/x",
    "http://localhost:8080:80/",
    "http://localhost:80/\r\nLocation: https://evil.example",
    "http://localhost/\u00e4",
    " http://localhost/",
    "https://localhost/",
    "https://127.0.0.1/",
    "//localhost/",
    "localhost",
    "javascript:alert(1)//http://localhost/",
    "",
  ]) {
    it(`refuses ${JSON.stringify(uri)}`, () => assert.ok(!isPermittedRedirect(uri, configured)));
  }

  it("permits nothing that a browser takes to another host", () => {
    const part = fc.constantFrom(
      "http://",
      "localhost",
      "127.0.0.1",
      "[::1]",
      "@",
      ":",
      "\\",
      "/",
      "?",
      "#",
      "evil.example",
      ".",
      "80",
      "a",
      "%40",
      "\t",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const uri = `http://localhost${parts.join("")}`;
        if (!isPermittedRedirect(uri, [])) return;
        const { protocol, hostname, username, password, hash } = new URL(uri);
        assert.deepEqual([protocol, username, password, hash], ["http:", "", "", ""]);
        assert.match(hostname, /^(localhost|127\.0\.0\.1|\[::1\])$/);
      }),
      { numRuns: 2000 },
    );
  });

  it("are given parameters in addition to those they have", () => {
    assert.equal(withParameters("http://localhost/", { code: "a b", state: undefined }), "http://localhost/?code=a+b");
    assert.equal(
      withParameters("https://x.example/cb?tenant=1", { code: "c", state: "ä&=#" }),
      "https://x.example/cb?tenant=1&code=c&state=%C3%A4%26%3D%23",
    );
  });
});

describe("scopes", () => {
  for (const [text, scopes] of [
    ["monitor:read", ["monitor:read"]],
    ["alerts:write monitor:read", ["monitor:read", "alerts:write"]],
    ["monitor:read  monitor:read", ["monitor:read"]],
    ["alerts:write", ["alerts:write"]],
    ["monitor:read admin", undefined],
    ["MONITOR:READ", undefined],
    ["monitor:read,alerts:write", undefined],
    ["", undefined],
    [" ", undefined],
  ] as const) {
    it(`of ${JSON.stringify(text)} are ${JSON.stringify(scopes)}`, () => assert.deepEqual(readScopes(text), scopes));
  }

  it("narrow, and do not widen", () => {
    assert.ok(isWithin(["monitor:read"], ["monitor:read", "alerts:write"]));
    assert.ok(!isWithin(["monitor:read", "alerts:write"], ["monitor:read"]));
    assert.ok(!isWithin(["monitor:read"], ["alerts:write"]));
  });
});

describe("parameters", () => {
  it("without a value are left out", () => {
    const parameters = readParameters(new URLSearchParams("state=&scope=x&resource=&resource=y"));
    assert.deepEqual([parameters.get("state"), parameters.get("scope"), parameters.all("resource")], [undefined, "x", ["y"]]);
  });

  it("show which of them are there more than once, but for resource", () => {
    assert.deepEqual(readParameters(new URLSearchParams("a=1&b=2&a=&resource=x&resource=y")).repeated, ["a"]);
    assert.deepEqual(readQuery({ a: ["1", "1"], b: "2", resource: ["x", "y"] }).repeated, ["a"]);
  });
});

describe("too many parameters", () => {
  const fault = { name: "OAuthFault", code: "invalid_request" };
  for (const [what, read] of [
    ["a form of one name", (count: number) => readForm(Array.from({ length: count }, () => "resource").join("&"))],
    ["a form of many names", (count: number) => readForm(Array.from({ length: count }, (_, at) => `a${at}=1`).join("&"))],
    ["a query", (count: number) => readQuery({ resource: Array.from({ length: count }, () => "x") })],
  ] as const) {
    it(`are refused in ${what}`, () => {
      assert.deepEqual(read(50).repeated, []);
      assert.throws(() => read(51), fault);
    });
  }

  it("are refused before they are taken apart", () => {
    // As many separators without a pair between them: taken apart, these are no parameters at all.
    assert.throws(() => readForm("&".repeat(16_000)), fault);
  });
});

describe("a connection", () => {
  for (const [status, revokedAt, expiresAt] of [
    ["active", null, later(1)],
    ["expired", null, now],
    ["revoked", now, later(1)],
    ["revoked", now, now],
  ] as const) {
    it(`is ${status} when it ends at ${expiresAt.toISOString()}, revoked ${revokedAt?.toISOString() ?? "never"}`, () =>
      assert.equal(statusOf({ revokedAt, expiresAt }, now), status));
  }
});

describe("tokens", () => {
  it("are 32 bytes in base64url, kept as SHA-256", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64url");
        assert.ok(isToken(text));
        assert.equal(hashOf(text), createHash("sha256").update(text).digest("hex"));
      }),
    );
    const made = Array.from({ length: 20 }, newToken);
    assert.equal(new Set(made).size, made.length);
    for (const text of made) assert.deepEqual([isToken(text), Buffer.from(text, "base64url").length], [true, 32]);
    for (const text of ["", "x".repeat(42), "x".repeat(44), `${"x".repeat(42)}=`, `${"x".repeat(42)} `]) assert.ok(!isToken(text));
  });
});

describe("the metadata", () => {
  it("names addresses of the public origin, and agrees with itself", () => {
    const addresses = addressesOf("https://monitor.example.org");
    const server = serverMetadata(addresses);
    const resource = resourceMetadata(addresses);
    assert.equal(server.issuer, "https://monitor.example.org");
    assert.equal(resource.resource, "https://monitor.example.org/mcp");
    assert.deepEqual([resource.authorization_servers, server.protected_resources], [[server.issuer], [resource.resource]]);
    assert.deepEqual([server.code_challenge_methods_supported, server.authorization_response_iss_parameter_supported], [["S256"], true]);
    assert.equal(addresses.resourceMetadata, "https://monitor.example.org/.well-known/oauth-protected-resource/mcp");
  });
});
