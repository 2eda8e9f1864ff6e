/** oauth4webapi as a client that can also ask wrongly: one step of the protocol at a time, each answer processed by the library. */
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { modernRequest } from "./mcp-oauth.ts";
import { decide, type Decision } from "./mcp-person.ts";
import { CLIENT, type McpProgram } from "./mcp-program.ts";

export const REDIRECT = "http://127.0.0.1:51004/back";
export const BOTH_SCOPES = "monitor:read alerts:write";

/** What a client keeps between the authorization request and the token request. */
export interface Asked {
  url: URL;
  redirectUri: string;
  verifier: string;
  state: string;
}

export interface Exchange {
  proof?: oauth.ClientAuth;
  redirectUri?: string;
  verifier?: string | typeof oauth.nopkce;
  more?: Record<string, string>;
}

export type StepwiseClient = Awaited<ReturnType<typeof openStepwiseClient>>;

export const client: oauth.Client = { client_id: CLIENT.id };
const post = oauth.ClientSecretPost(CLIENT.secret);

/** Discovers the server from the address of the resource alone. */
export async function openStepwiseClient(program: Pick<McpProgram, "mcpUrl" | "fetch">) {
  const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: (url: string, init: object) => program.fetch(url, init) };
  const address = new URL(program.mcpUrl);
  const resource = await oauth.processResourceDiscoveryResponse(address, await oauth.resourceDiscoveryRequest(address, options));
  const issuer = new URL(resource.authorization_servers?.[0] ?? "");
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }));

  /** An authorization request that is right but for the changes; undefined leaves a parameter out. */
  async function ask(changes: Readonly<Record<string, string | undefined>> = {}): Promise<Asked> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = changes["state"] ?? oauth.generateRandomState();
    const request: Record<string, string | undefined> = {
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: REDIRECT,
      scope: BOTH_SCOPES,
      resource: resource.resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...changes,
      state,
    };
    const url = new URL(server.authorization_endpoint ?? "");
    for (const [name, value] of Object.entries(request)) if (value !== undefined) url.searchParams.append(name, value);
    return { url, verifier, state, redirectUri: request["redirect_uri"] ?? "" };
  }

  /** What the client is sent once the person has answered; throws for an error. */
  async function answered({ url, state }: Asked, decision: Decision = { ticks: ["alerts:write"] }): Promise<URLSearchParams> {
    return oauth.validateAuthResponse(server, client, await decide(url, { fetch: program.fetch, ...decision }), state);
  }

  /** The error that a request is sent back with, without a person being asked. */
  async function refused({ url, state }: Asked): Promise<oauth.AuthorizationResponseError> {
    const answer = await program.fetch(url, { redirect: "manual" });
    const location = answer.headers.get("location");
    assert.ok(location?.startsWith(`${REDIRECT}?`) === true, `answered ${answer.status} with ${location}`);
    try {
      oauth.validateAuthResponse(server, client, new URL(location), state);
    } catch (error) {
      assert.ok(error instanceof oauth.AuthorizationResponseError, String(error));
      return error;
    }
    return assert.fail("the request was granted");
  }

  /** The token request of a code, right but for the changes. */
  function exchange(asked: Asked, back: URLSearchParams, { proof = post, more = {}, ...changes }: Exchange = {}): Promise<Response> {
    const { redirectUri, verifier } = { ...asked, ...changes };
    return oauth.authorizationCodeGrantRequest(server, client, proof, back, redirectUri, verifier, {
      ...options,
      additionalParameters: more,
    });
  }

  const tokensOf = (answer: Response): Promise<oauth.TokenEndpointResponse> =>
    oauth.processAuthorizationCodeResponse(server, client, answer);

  return {
    options,
    server,
    address,
    ask,
    answered,
    refused,
    exchange,
    tokensOf,
    /** The tokens of a new connection. */
    async connect(changes: Readonly<Record<string, string | undefined>> = {}): Promise<{ access: string; refresh: string }> {
      const asked = await ask(changes);
      const tokens = await tokensOf(await exchange(asked, await answered(asked)));
      return { access: tokens.access_token, refresh: tokens.refresh_token ?? "" };
    },
    async refresh(token: string, more: Record<string, string> = {}): Promise<oauth.TokenEndpointResponse> {
      const answer = await oauth.refreshTokenGrantRequest(server, client, post, token, { ...options, additionalParameters: more });
      return oauth.processRefreshTokenResponse(server, client, answer);
    },
    async revoke(token: string): Promise<void> {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, post, token, options));
    },
    /** Asks for tokens by the client's own credentials, which is another grant. */
    async grantToItself(): Promise<oauth.TokenEndpointResponse> {
      const answer = await oauth.clientCredentialsGrantRequest(server, client, post, {}, options);
      return oauth.processClientCredentialsResponse(server, client, answer);
    },
    /** A request to the resource; throws for a challenge. */
    async call(token: string, method = "tools/list", params: object = {}): Promise<Response> {
      const { body, headers } = modernRequest(1, method, params);
      return oauth.protectedResourceRequest(token, "POST", address, new Headers(headers), body, options);
    },
  };
}

/** The one challenge that a request was answered with. */
export async function challengeOf(work: Promise<unknown>, status: number): Promise<oauth.WWWAuthenticateChallenge> {
  const error = await work.then(
    () => assert.fail("the request was answered"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, String(error));
  assert.equal(error.status, status);
  const [challenge, another] = error.cause;
  assert.ok(challenge !== undefined && another === undefined, "there is not one challenge");
  return challenge;
}
