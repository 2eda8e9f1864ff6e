/** The library oauth4webapi as a client: it knows nothing of MCP, and holds a server to the RFCs. */
import * as oauth from "oauth4webapi";
import { decide, type Decision } from "./mcp-person.ts";
import { CLIENT, type McpProgram } from "./mcp-program.ts";

export interface OAuthClient {
  resource: oauth.ResourceServer;
  server: oauth.AuthorizationServer;
  /** The whole way from a question to a person to tokens. */
  authorize(scope: string, decision?: Decision): Promise<oauth.TokenEndpointResponse>;
  refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse>;
  revoke(token: string): Promise<void>;
  /** A request to MCP as the JSON-RPC that it is, by the newest protocol. Throws for a challenge. */
  call(accessToken: string, method: string, params?: object): Promise<Record<string, unknown>>;
}

/** Begins as a client does that knows nothing but the address of the resource: what guards it, and where that takes place. */
export async function discoverOAuth(
  program: Pick<McpProgram, "mcpUrl" | "fetch">,
  redirectUri = "http://127.0.0.1:51004/back",
): Promise<OAuthClient> {
  const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: (url: string, init: object) => program.fetch(url, init) };
  const url = new URL(program.mcpUrl);
  const resource = await oauth.processResourceDiscoveryResponse(url, await oauth.resourceDiscoveryRequest(url, options));
  const issuer = new URL(resource.authorization_servers?.[0] ?? "");
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }));
  const client: oauth.Client = { client_id: CLIENT.id };
  // The SDK proves itself by the header; this one by the body.
  const proof = oauth.ClientSecretPost(CLIENT.secret);
  let count = 0;

  return {
    resource,
    server,
    async authorize(scope, decision) {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const authorization = new URL(server.authorization_endpoint ?? "");
      authorization.search = new URLSearchParams({
        client_id: CLIENT.id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope,
        state,
        resource: resource.resource,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }).toString();
      const back = await decide(authorization, { fetch: program.fetch, ...decision });
      const parameters = oauth.validateAuthResponse(server, client, back, state);
      const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, parameters, redirectUri, verifier, {
        ...options,
        additionalParameters: { resource: resource.resource },
      });
      return oauth.processAuthorizationCodeResponse(server, client, answer);
    },
    async refresh(refreshToken) {
      const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options);
      return oauth.processRefreshTokenResponse(server, client, answer);
    },
    async revoke(token) {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, options));
    },
    async call(accessToken, method, params = {}) {
      const { body, headers } = modernRequest((count += 1), method, params);
      const answer = await oauth.protectedResourceRequest(accessToken, "POST", url, new Headers(headers), body, options);
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

/** One request of the newest protocol, which needs no session. */
export function modernRequest(id: number, method: string, params: object = {}): { body: string; headers: Record<string, string> } {
  // What a method is about is repeated in a header.
  const about = new Map(Object.entries(params)).get(method === "resources/read" ? "uri" : "name");
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof about === "string" ? { "mcp-name": about } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "plain client", version: "1.0.0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  };
}
