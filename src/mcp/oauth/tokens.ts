import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { TokenAnswer } from "./answers.ts";
import { isFor } from "./authorization.ts";
import { authenticate, type Client } from "./client.ts";
import { LIFETIMES } from "./connection.ts";
import type { Addresses } from "./metadata.ts";
import { type Parameters, OAuthFault } from "./parameters.ts";
import { readScopes, scopeText } from "./scopes.ts";
import type { OAuthStore, Redemption } from "./store.ts";
import { hashOf, newToken } from "./token.ts";

/** What the client asks by itself. Throws OAuthFaults. */
export interface TokenService {
  /** Gives tokens for a code or a refresh token. Source: RFC 6749, sections 4.1.3 and 6. */
  give(authorization: string | undefined, parameters: Parameters): Promise<TokenAnswer>;
  /** Ends the connection of a token, if there is such a token. Source: RFC 7009. */
  revoke(authorization: string | undefined, parameters: Parameters): Promise<void>;
}

export interface TokenServiceParts {
  store: OAuthStore;
  client: Client;
  addresses: Addresses;
  onEnd(connectionId: number): void;
  clock: Clock;
  log: Log;
}

/** The answer for a code or token that is unknown, expired, used, revoked or another client's. */
const NO_GRANT: Record<string, string> = {
  authorization_code:
    "The code is not valid: it is unknown, has expired, was used, or belongs to another request. Ask for authorization again.",
  refresh_token: "The refresh token is not valid: it is unknown, has expired, was used or revoked. Ask for authorization again.",
};

export function createTokenService({ store, client, addresses, onEnd, clock, log }: TokenServiceParts): TokenService {
  const { resource } = addresses;

  /** Redeems what the client has for new tokens, made here and kept as hashes alone. */
  async function exchange(
    grantType: string,
    redeem: (given: { tokens: { accessHash: string; refreshHash: string }; now: Date }) => Promise<Redemption>,
  ): Promise<TokenAnswer> {
    const access = newToken();
    const refresh = newToken();
    const redemption = await redeem({ tokens: { accessHash: hashOf(access), refreshHash: hashOf(refresh) }, now: clock.now() });
    if (redemption.verdict === "replayed") {
      if (redemption.connectionId !== undefined) onEnd(redemption.connectionId);
      log.warn({ grant_type: grantType }, "something that MCP clients may use once was used again; its connection was ended");
    }
    if (redemption.verdict === "too_wide") throw new OAuthFault("invalid_scope", "scope has more than was granted.");
    if (redemption.verdict !== "good") throw new OAuthFault("invalid_grant", NO_GRANT[grantType] ?? "");
    for (const ended of redemption.ended) {
      onEnd(ended);
      log.info({ connection_id: ended }, "an MCP connection that was not used for long was replaced by a new one");
    }
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: LIFETIMES.accessMs / 1000,
      refresh_token: refresh,
      scope: scopeText(redemption.scopes),
    };
  }

  function giveForCode(parameters: Parameters): Promise<TokenAnswer> {
    const use = {
      clientId: client.id,
      redirectUri: required(parameters, "redirect_uri"),
      verifier: required(parameters, "code_verifier"),
      resource,
    };
    const hash = hashOf(required(parameters, "code"));
    return exchange("authorization_code", (given) => store.redeemCode(hash, use, given));
  }

  function giveForRefresh(parameters: Parameters): Promise<TokenAnswer> {
    const scope = parameters.get("scope");
    const scopes = scope === undefined ? undefined : readScopes(scope);
    if (scope !== undefined && scopes === undefined) throw new OAuthFault("invalid_scope", "scope has one that this server does not know.");
    const hash = hashOf(required(parameters, "refresh_token"));
    return exchange("refresh_token", (given) => store.rotate(hash, { clientId: client.id, resource, scopes }, given));
  }

  function check(authorization: string | undefined, parameters: Parameters): void {
    const [repeated] = parameters.repeated;
    if (repeated !== undefined) throw new OAuthFault("invalid_request", "A parameter is there more than once.");
    authenticate(client, authorization, parameters);
  }

  return {
    async give(authorization, parameters) {
      check(authorization, parameters);
      if (!isFor(resource, parameters)) throw new OAuthFault("invalid_target", `resource must be ${resource}.`);
      const grantType = required(parameters, "grant_type");
      if (grantType === "authorization_code") return giveForCode(parameters);
      if (grantType === "refresh_token") return giveForRefresh(parameters);
      throw new OAuthFault("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
    },
    async revoke(authorization, parameters) {
      check(authorization, parameters);
      const ended = await store.endByToken(hashOf(required(parameters, "token")), client.id, clock.now());
      if (ended === undefined) return;
      onEnd(ended);
      log.info({ connection_id: ended }, "an MCP client ended its connection");
    },
  };
}

function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthFault("invalid_request", `${name} is missing.`);
  return value;
}
