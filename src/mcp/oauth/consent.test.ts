import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  ADMIN_TOKEN,
  CLIENT_ID,
  locationOf,
  LOOPBACK_URI,
  newVerifier,
  type OAuthWorld,
  REDIRECT_URI,
  startOAuthWorld,
} from "../../../test/support/oauth-world.ts";
import { openTemporaryDatabase } from "../../../test/support/temporary-database.ts";

const query = (form: Record<string, string>): string => `/oauth/authorize?${new URLSearchParams(form)}`;

describe("the page that asks for consent, over HTTP", () => {
  let open: OAuthWorld;
  let guarded: OAuthWorld;
  before(async () => {
    open = await startOAuthWorld({ database: await openTemporaryDatabase() });
    guarded = await startOAuthWorld({ database: await openTemporaryDatabase(), adminToken: ADMIN_TOKEN });
  });
  after(async () => {
    await open.stop();
    await guarded.stop();
  });

  it("says who asks, for what, and where the answer goes", async () => {
    const { status, headers, text } = await open.ask(query(open.request({ scope: "monitor:read alerts:write" })));
    assert.equal(status, 200, text);
    assert.match(headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(headers.get("cache-control"), "no-store");
    for (const part of [CLIENT_ID, LOOPBACK_URI, open.resource, 'name="alerts:write"', 'value="a state &#38; more"']) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, /admin_token/);
  });

  it("cannot be framed, runs no script, and may be followed by a redirect to the client", async () => {
    const { headers } = await open.ask(query(open.request()));
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /form-action|script-src/);
    assert.equal(headers.get("x-frame-options"), "DENY");
  });

  for (const [what, changes] of [
    ["another client", { client_id: "somebody" }],
    ["no client", { client_id: undefined }],
    ["no redirect_uri", { redirect_uri: undefined }],
    ["a redirect_uri with another port", { redirect_uri: "https://assistant.example.org:444/callback?tenant=1" }],
    ["a redirect_uri with another path", { redirect_uri: "https://assistant.example.org/call?tenant=1" }],
    ["a redirect_uri with another query", { redirect_uri: "https://assistant.example.org/callback?tenant=2" }],
    ["a redirect_uri with a fragment", { redirect_uri: `${REDIRECT_URI}#x` }],
    ["a redirect_uri with userinfo", { redirect_uri: "https://x@assistant.example.org/callback?tenant=1" }],
    ["a loopback redirect_uri with a fragment", { redirect_uri: `${LOOPBACK_URI}#x` }],
    ["a loopback redirect_uri with userinfo", { redirect_uri: "http://x@127.0.0.1:33418/callback" }],
  ] as const) {
    it(`leads nowhere with ${what}, asked or decided`, async () => {
      const request = open.request({ ...changes, scope: "unknown" });
      for (const answer of [await open.ask(query(request)), await open.decide(request)]) {
        assert.deepEqual([answer.status, answer.headers.get("location")], [400, null]);
        assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
        assert.match(answer.text, /client_id|redirect_uri/);
      }
    });
  }

  for (const [what, error, changes] of [
    ["no challenge", "invalid_request", { code_challenge: undefined }],
    ["no PKCE method", "invalid_request", { code_challenge_method: undefined }],
    ["the PKCE method plain", "invalid_request", { code_challenge_method: "plain" }],
    ["another response_type", "unsupported_response_type", { response_type: "token" }],
    ["an unknown scope", "invalid_scope", { scope: "everything" }],
    ["another resource", "invalid_target", { resource: "https://other.example.org/mcp" }],
  ] as const) {
    it(`answers the client ${error} for ${what}, asked or decided`, async () => {
      for (const redirect_uri of [LOOPBACK_URI, REDIRECT_URI]) {
        const request = open.request({ ...changes, redirect_uri });
        for (const answer of [await open.ask(query(request)), await open.decide(request)]) {
          const location = locationOf(answer);
          assert.ok(location.startsWith(redirect_uri), location);
          const { searchParams } = new URL(location);
          assert.deepEqual(
            ["error", "state", "iss", "code"].map((name) => searchParams.get(name)),
            [error, "a state & more", open.url, null],
          );
        }
      }
    });
  }

  it("takes no parameter twice", async () => {
    const twice = `${query(open.request())}&scope=monitor%3Aread&scope=monitor%3Aread`;
    assert.equal(new URL(locationOf(await open.ask(twice))).searchParams.get("error"), "invalid_request");
    const body = `${new URLSearchParams({ ...open.request(), decision: "deny" })}&decision=allow`;
    assert.equal(
      new URL(locationOf(await open.ask("/oauth/authorize", { method: "POST", body }))).searchParams.get("error"),
      "invalid_request",
    );
  });

  it("leads back with a code, the state and who answers, or with a denial", async () => {
    for (const redirect_uri of [LOOPBACK_URI, REDIRECT_URI]) {
      const allowed = new URL(locationOf(await open.decide(open.request({ redirect_uri })))).searchParams;
      assert.match(allowed.get("code") ?? "", /^[\w-]{43}$/);
      assert.deepEqual(
        ["state", "iss", "error"].map((name) => allowed.get(name)),
        ["a state & more", open.url, null],
      );
      const denied = new URL(locationOf(await open.decide(open.request({ redirect_uri, state: undefined, decision: "deny" }))))
        .searchParams;
      assert.deepEqual(
        ["code", "state", "iss", "error"].map((name) => denied.get(name)),
        [null, null, open.url, "access_denied"],
      );
      if (redirect_uri === REDIRECT_URI) assert.equal(allowed.get("tenant"), "1");
    }
    const undecided = await open.decide(open.request({ decision: "" }));
    assert.deepEqual([undecided.status, undecided.headers.get("location")], [400, null]);
  });

  it("grants what changes something only where it was ticked", async () => {
    const grant = async (form: Record<string, string>, scope: string): Promise<unknown> => {
      const { verifier, challenge } = newVerifier();
      const answer = await open.decide({ ...open.request({ scope, code_challenge: challenge }), ...form });
      const given = new URL(locationOf(answer)).searchParams.get("code") ?? "";
      const { json } = await open.exchange({ code: given, redirect_uri: LOOPBACK_URI, code_verifier: verifier });
      return json["scope"];
    };
    const both = "monitor:read alerts:write";
    assert.equal(await grant({}, both), "monitor:read");
    assert.equal(await grant({ "alerts:write": "yes" }, both), both);
    assert.equal(await grant({ "alerts:write": "yes" }, "monitor:read"), "monitor:read", "nobody asked for it");
    assert.equal(await grant({}, "alerts:write"), "alerts:write", "nothing else was asked for");
  });

  it("is answered by its own page alone", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const { status, headers: answered } = await open.decide(open.request(), headers);
      assert.deepEqual([status, answered.get("location")], [403, null]);
    }
    locationOf(await open.decide(open.request(), { origin: open.url, "sec-fetch-site": "same-origin" }));
  });

  describe("with an admin token", () => {
    const cookie = async (world: OAuthWorld): Promise<string> => {
      const { headers } = await world.ask("/login", { method: "POST", body: new URLSearchParams({ token: ADMIN_TOKEN }) });
      return headers.get("set-cookie")?.split(";")[0] ?? "";
    };

    it("asks for it, and takes no other", async () => {
      const { text } = await guarded.ask(query(guarded.request()));
      assert.match(text, /name="admin_token"/);
      for (const admin_token of ["wrong", undefined]) {
        const refused = await guarded.decide(guarded.request({ admin_token }));
        assert.deepEqual([refused.status, refused.headers.get("location")], [401, null]);
        assert.match(refused.text, /role="alert"/);
        assert.doesNotMatch(refused.text, /value="wrong"/);
      }
      assert.ok(new URL(locationOf(await guarded.decide(guarded.request({ admin_token: ADMIN_TOKEN })))).searchParams.has("code"));
    });

    it("can be denied without it", async () => {
      const denied = new URL(locationOf(await guarded.decide(guarded.request({ decision: "deny" })))).searchParams;
      assert.equal(denied.get("error"), "access_denied");
    });

    it("takes the session of a login instead, and asks once again for a browser that another site sent", async () => {
      const session = await cookie(guarded);
      const { text, headers } = await guarded.ask(query(guarded.request()), {
        headers: { cookie: session, "sec-fetch-site": "cross-site" },
      });
      assert.doesNotMatch(text, /name="admin_token"/);
      assert.equal(headers.get("refresh"), null);
      assert.ok(new URL(locationOf(await guarded.decide(guarded.request(), { cookie: session }))).searchParams.has("code"));

      const sent = await guarded.ask(query(guarded.request({ state: "x" })), { headers: { "sec-fetch-site": "cross-site" } });
      assert.match(sent.text, /name="admin_token"/);
      const again = /^0; url=(\/oauth\/authorize\?.+)$/.exec(sent.headers.get("refresh") ?? "")?.[1] ?? "";
      assert.equal(new URLSearchParams(again.split("?")[1]).get("state"), "x");
      const repeated = await guarded.ask(again, { headers: { "sec-fetch-site": "cross-site" } });
      assert.deepEqual([repeated.status, repeated.headers.get("refresh")], [200, null]);
      assert.equal((await open.ask(query(open.request()), { headers: { "sec-fetch-site": "cross-site" } })).headers.get("refresh"), null);
    });

    it("lets an address try ten tokens, and makes it wait then", async () => {
      const from = { "x-forwarded-for": "198.51.100.7" };
      const attempt = (admin_token: string) => guarded.decide(guarded.request({ admin_token }), from);
      for (let count = 0; count < 10; count += 1) assert.equal((await attempt(`guess ${count}`)).status, 401);
      const refused = await attempt(ADMIN_TOKEN);
      assert.deepEqual([refused.status, refused.headers.get("location")], [429, null]);
      assert.ok(
        new URL(locationOf(await guarded.decide(guarded.request({ admin_token: ADMIN_TOKEN })))).searchParams.has("code"),
        "another address",
      );
      await guarded.clock.advance(300_000);
      assert.ok(new URL(locationOf(await attempt(ADMIN_TOKEN))).searchParams.has("code"));
    });
  });
});
