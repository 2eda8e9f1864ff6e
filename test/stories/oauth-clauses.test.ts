import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { decide } from "../support/mcp-person.ts";
import { CLIENT, type McpProgram, startMcpProgram } from "../support/mcp-program.ts";
import { BOTH_SCOPES, challengeOf, client, openStepwiseClient, REDIRECT, type StepwiseClient } from "../support/oauth-client.ts";

/** Set by the operator; loopback addresses are permitted without that. */
const CONFIGURED = "https://assistant.example.org/callback?tenant=1";
const ELSEWHERE = "https://other.example.org/mcp";
const ENV = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_MCP_REDIRECT_URIS: CONFIGURED };

/** An RFC with its section, what that demands, and a check that fails when the server does not do it. */
type Clause = readonly [rfc: string, demand: string, prove: (by: StepwiseClient, program: McpProgram) => Promise<void>];

const isError = (error: string): object => ({ name: "ResponseBodyError", error, status: 400 });

const authorization: readonly Clause[] = [
  [
    "6749, 3.1",
    "no parameter of the authorization request is there twice",
    async (by) => {
      const asked = await by.ask();
      asked.url.searchParams.append("scope", "monitor:read");
      assert.equal((await by.refused(asked)).error, "invalid_request");
    },
  ],
  [
    "6749, 3.1.1",
    "response_type is code, or the answer is unsupported_response_type",
    async (by) => assert.equal((await by.refused(await by.ask({ response_type: "token" }))).error, "unsupported_response_type"),
  ],
  [
    "6749, 3.1.2.2",
    "a redirect address that is configured keeps its own query",
    async (by) => {
      const asked = await by.ask({ redirect_uri: CONFIGURED });
      const back = await by.answered(asked);
      assert.equal(back.get("tenant"), "1");
      await by.tokensOf(await by.exchange(asked, back));
    },
  ],
  [
    "6749, 3.1.2.4",
    "an address that is not exactly a permitted one, and an unknown client, get no redirect",
    async (by, program) => {
      for (const changes of [
        { redirect_uri: `${CONFIGURED}&more=1` },
        { redirect_uri: CONFIGURED.replace("callback", "callback/") },
        { redirect_uri: CONFIGURED.replace("assistant.", "ASSISTANT.") },
        { redirect_uri: "https://evil.example/" },
        { redirect_uri: undefined },
        { client_id: "somebody" },
      ]) {
        const answer = await program.fetch((await by.ask(changes)).url, { redirect: "manual" });
        assert.deepEqual([answer.status, answer.headers.get("location")], [400, null], JSON.stringify(changes));
        assert.match(await answer.text(), /redirect_uri|client_id/);
      }
    },
  ],
  [
    "6749, 3.3",
    "unknown scopes are refused, and the answer names those that were granted",
    async (by) => {
      assert.equal((await by.refused(await by.ask({ scope: "everything" }))).error, "invalid_scope");
      const asked = await by.ask();
      const tokens = await by.tokensOf(await by.exchange(asked, await by.answered(asked, { ticks: [] })));
      assert.equal(tokens.scope, "monitor:read");
    },
  ],
  [
    "6749, 4.1.2",
    "the state comes back as it was",
    async (by) => {
      const state = `%&="'<b> ${oauth.generateRandomState()}`;
      assert.equal((await by.answered(await by.ask({ state }))).get("state"), state);
    },
  ],
  [
    "6749, 4.1.2.1",
    "a person who denies is reported as access_denied",
    async (by) =>
      assert.rejects(by.answered(await by.ask(), { decision: "deny" }), { name: "AuthorizationResponseError", error: "access_denied" }),
  ],
  [
    "7636, 4.3",
    "a request without a challenge, or with the method plain or none, is invalid_request",
    async (by) => {
      for (const changes of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge: undefined },
        { code_challenge: oauth.generateRandomCodeVerifier(), code_challenge_method: "plain" },
        { code_challenge_method: undefined },
      ])
        assert.equal((await by.refused(await by.ask(changes))).error, "invalid_request", JSON.stringify(changes));
    },
  ],
  [
    "8252, 7.3",
    "a program on this computer listens at any port",
    async (by) => {
      for (const redirect_uri of ["http://127.0.0.1:1/back", "http://[::1]:65535/back", "http://localhost:40123/back"])
        await by.connect({ redirect_uri });
    },
  ],
  [
    "9207, 2",
    "every answer to the client names the issuer",
    async (by, program) => {
      const asked = await by.ask();
      const back = await decide(asked.url, { fetch: program.fetch });
      assert.equal(back.searchParams.get("iss"), by.server.issuer);
      const mixedUp = { ...by.server, issuer: "https://other.example.org" };
      assert.throws(() => oauth.validateAuthResponse(mixedUp, client, back, asked.state), { code: oauth.INVALID_RESPONSE });
      assert.equal((await by.refused(await by.ask({ scope: "everything" }))).cause.get("iss"), by.server.issuer);
    },
  ],
];

const tokens: readonly Clause[] = [
  [
    "6749, 2.3.1",
    "the client proves itself by HTTP Basic or by parameters of the body",
    async (by) => {
      for (const proof of [oauth.ClientSecretBasic(CLIENT.secret), oauth.ClientSecretPost(CLIENT.secret)]) {
        const asked = await by.ask();
        await by.tokensOf(await by.exchange(asked, await by.answered(asked), { proof }));
      }
    },
  ],
  [
    "6749, 4.1.2",
    "a code is used once; a second use is refused and ends what the first brought",
    async (by) => {
      const asked = await by.ask();
      const back = await by.answered(asked);
      const first = await by.tokensOf(await by.exchange(asked, back));
      await by.call(first.access_token);
      await assert.rejects(by.exchange(asked, back).then(by.tokensOf), isError("invalid_grant"));
      await challengeOf(by.call(first.access_token), 401);
      await assert.rejects(by.refresh(first.refresh_token ?? ""), isError("invalid_grant"));
    },
  ],
  [
    "6749, 4.1.3",
    "a code is good only with the redirect address that it was given for",
    async (by) => {
      const asked = await by.ask();
      const answer = await by.exchange(asked, await by.answered(asked), { redirectUri: "http://127.0.0.1:51005/back" });
      await assert.rejects(by.tokensOf(answer), isError("invalid_grant"));
    },
  ],
  [
    "6749, 5.1",
    "tokens are of type bearer, say how long they live, and are kept by no cache",
    async (by) => {
      const asked = await by.ask();
      const answer = await by.exchange(asked, await by.answered(asked));
      assert.deepEqual([answer.headers.get("cache-control"), answer.headers.get("pragma")], ["no-store", "no-cache"]);
      assert.partialDeepStrictEqual(await by.tokensOf(answer), { token_type: "bearer", expires_in: 3600, scope: BOTH_SCOPES });
    },
  ],
  [
    "6749, 5.2",
    "a wrong secret is invalid_client with 401 and a Basic challenge",
    async (by) => {
      for (const proof of [oauth.ClientSecretBasic("wrong"), oauth.ClientSecretPost("wrong"), oauth.None()]) {
        const asked = await by.ask();
        const answer = await by.exchange(asked, await by.answered(asked), { proof });
        const body = (await answer.clone().json()) as Record<string, unknown>;
        assert.deepEqual([body["error"], answer.headers.get("cache-control")], ["invalid_client", "no-store"]);
        assert.equal((await challengeOf(by.tokensOf(answer), 401)).scheme, "basic");
      }
    },
  ],
  [
    "6749, 5.2",
    "a code or refresh token that nobody gave out is invalid_grant",
    async (by) => {
      const asked = await by.ask();
      const invented = new URLSearchParams({ code: oauth.generateRandomState(), state: asked.state, iss: by.server.issuer });
      const back = oauth.validateAuthResponse(by.server, client, invented, asked.state);
      await assert.rejects(by.exchange(asked, back).then(by.tokensOf), isError("invalid_grant"));
      await assert.rejects(by.refresh(oauth.generateRandomState()), isError("invalid_grant"));
    },
  ],
  [
    "6749, 5.2",
    "another grant is unsupported_grant_type",
    async (by) => assert.rejects(by.grantToItself(), isError("unsupported_grant_type")),
  ],
  [
    "6749, 6",
    "a refresh gives new tokens, of fewer scopes if asked, never of more",
    async (by) => {
      const first = await by.connect();
      const second = await by.refresh(first.refresh, { scope: "monitor:read" });
      assert.equal(second.scope, "monitor:read");
      assert.ok(second.access_token !== first.access && second.refresh_token !== first.refresh);
      await by.call(second.access_token);
      const narrow = await by.connect({ scope: "monitor:read" });
      await assert.rejects(by.refresh(narrow.refresh, { scope: BOTH_SCOPES }), isError("invalid_scope"));
    },
  ],
  [
    "6749, 10.4",
    "a refresh token is used once; a second use is refused and ends the connection",
    async (by) => {
      const first = await by.connect();
      const second = await by.refresh(first.refresh);
      await by.call(second.access_token);
      await assert.rejects(by.refresh(first.refresh), isError("invalid_grant"));
      await challengeOf(by.call(second.access_token), 401);
      await assert.rejects(by.refresh(second.refresh_token ?? ""), isError("invalid_grant"));
    },
  ],
  [
    "7009, 2",
    "a token of either kind ends its connection, and an unknown one is answered alike",
    async (by) => {
      for (const which of ["access", "refresh"] as const) {
        const given = await by.connect();
        await by.call(given.access);
        await by.revoke(given[which]);
        await challengeOf(by.call(given.access), 401);
        await assert.rejects(by.refresh(given.refresh), isError("invalid_grant"));
        await by.revoke(given[which]);
      }
      await by.revoke(oauth.generateRandomState());
    },
  ],
  [
    "7636, 4.6",
    "a code is good only with the verifier of its challenge",
    async (by) => {
      for (const [verifier, error] of [
        [oauth.generateRandomCodeVerifier(), "invalid_grant"],
        [oauth.nopkce, "invalid_request"],
      ] as const) {
        const asked = await by.ask();
        const answer = await by.exchange(asked, await by.answered(asked), { verifier });
        await assert.rejects(by.tokensOf(answer), isError(error));
      }
    },
  ],
  [
    "8707, 2",
    "tokens are asked for the address of /mcp; any other is invalid_target",
    async (by) => {
      assert.equal((await by.refused(await by.ask({ resource: ELSEWHERE }))).error, "invalid_target");
      const asked = await by.ask();
      const answer = await by.exchange(asked, await by.answered(asked), { more: { resource: ELSEWHERE } });
      await assert.rejects(by.tokensOf(answer), isError("invalid_target"));
      await assert.rejects(by.refresh((await by.connect()).refresh, { resource: ELSEWHERE }), isError("invalid_target"));
    },
  ],
];

const descriptions: readonly Clause[] = [
  [
    "6750, 3.1",
    "a token that is not valid is invalid_token, one with too few scopes insufficient_scope",
    async (by) => {
      const stranger = await challengeOf(by.call(oauth.generateRandomState()), 401);
      assert.deepEqual([stranger.scheme, stranger.parameters.error], ["bearer", "invalid_token"]);
      const { access } = await by.connect({ scope: "monitor:read" });
      const acknowledge = { name: "acknowledge_alert", arguments: { alert_id: 1, acknowledged_by: "somebody" } };
      const { parameters } = await challengeOf(by.call(access, "tools/call", acknowledge), 403);
      assert.equal(parameters.error, "insufficient_scope");
      assert.match(parameters.scope ?? "", /alerts:write/);
    },
  ],
  [
    "7591, 3",
    "no client registers itself: the metadata names no endpoint for it, and there is none",
    async ({ server, options }) => {
      const metadata = { redirect_uris: [REDIRECT] };
      await assert.rejects(oauth.dynamicClientRegistrationRequest(server, metadata, options), { code: oauth.MISSING_SERVER_METADATA });
      // The address that clients of MCP try when no metadata is found.
      const guessed = { ...server, registration_endpoint: `${server.issuer}/register` };
      const answer = await oauth.dynamicClientRegistrationRequest(guessed, metadata, options);
      assert.equal(answer.status, 404);
      await assert.rejects(oauth.processDynamicClientRegistrationResponse(answer), { code: oauth.RESPONSE_IS_NOT_CONFORM });
    },
  ],
  [
    "8414, 2",
    "the metadata lists what is offered and nothing else",
    async ({ server }) => {
      const offered = {
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        code_challenge_methods_supported: ["S256"],
        scopes_supported: BOTH_SCOPES.split(" "),
      };
      // A part of a list would pass for the list otherwise.
      for (const [name, values] of Object.entries(offered)) assert.deepEqual(server[name], values, name);
      assert.equal(server.authorization_response_iss_parameter_supported, true);
    },
  ],
  [
    "8414, 3",
    "the metadata is at the address that a client makes of the issuer, and names that issuer",
    async ({ server, options }) => {
      const issuer = new URL(server.issuer);
      const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
      assert.equal(answer.url, `${issuer.origin}/.well-known/oauth-authorization-server`);
      await oauth.processDiscoveryResponse(issuer, answer.clone());
      await assert.rejects(oauth.processDiscoveryResponse(new URL(ELSEWHERE), answer), { code: oauth.JSON_ATTRIBUTE_COMPARISON });
    },
  ],
  [
    "9728, 3",
    "the metadata of the resource is at the well-known address with its path, and names the resource",
    async ({ server, address, options }) => {
      const answer = await oauth.resourceDiscoveryRequest(address, options);
      assert.equal(answer.url, `${address.origin}/.well-known/oauth-protected-resource/mcp`);
      const described = await oauth.processResourceDiscoveryResponse(address, answer.clone());
      assert.deepEqual(described.authorization_servers, [server.issuer]);
      await assert.rejects(oauth.processResourceDiscoveryResponse(new URL(ELSEWHERE), answer), { code: oauth.JSON_ATTRIBUTE_COMPARISON });
    },
  ],
  [
    "9728, 5.1",
    "the challenge of the resource leads to that metadata",
    async (by) => {
      const { parameters } = await challengeOf(by.call(oauth.generateRandomState()), 401);
      const found = await oauth.resourceDiscoveryRequest(by.address, by.options);
      assert.equal(parameters["resource_metadata"], found.url);
    },
  ],
];

/** The table of decision 020: a client that others wrote, against the whole program. */
describe("oauth4webapi holds the server to", () => {
  let program: McpProgram;
  let by: StepwiseClient;

  before(async () => {
    program = await startMcpProgram({ env: ENV });
    by = await openStepwiseClient(program);
  });
  after(() => program?.stop());

  for (const [rfc, demand, prove] of [...authorization, ...tokens, ...descriptions]) it(`RFC ${rfc}: ${demand}`, () => prove(by, program));

  it("RFC 8707, 2: a token is good for one address: the same server refuses it at another", async () => {
    const { access } = await by.connect();
    const { dataDir, port } = program;
    await program.stop();
    program = await startMcpProgram({ dataDir, port, env: ENV });
    await by.call(access);
    await program.stop();
    program = await startMcpProgram({ dataDir, env: ENV });
    const moved = await openStepwiseClient(program);
    assert.equal((await challengeOf(moved.call(access), 401)).parameters.error, "invalid_token");
  });
});
