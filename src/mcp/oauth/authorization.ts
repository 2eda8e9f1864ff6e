import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../tool.ts";
import type { Parameters } from "./parameters.ts";
import { DEFAULT_SCOPES, readScopes, scopeText } from "./scopes.ts";

/** Who may ask, and for what. */
export interface AuthorizationRules {
  clientId: string;
  redirectUris: readonly string[];
  /** The address that tokens are for. */
  resource: string;
}

/** A request for authorization in which all is right. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string | undefined;
  scopes: readonly Scope[];
  challenge: string;
}

/** The error that the client gets through the browser. Source: RFC 6749, section 4.1.2.1; RFC 8707, section 2. */
export interface AuthorizationFault {
  error: "invalid_request" | "unsupported_response_type" | "invalid_scope" | "invalid_target" | "access_denied" | "temporarily_unavailable";
  description: string;
}

export type Judgement =
  | { kind: "asked"; request: AuthorizationRequest }
  /** The client gets the error. */
  | { kind: "returned"; redirectUri: string; state: string | undefined; fault: AuthorizationFault }
  /** Only the user is shown it: the address may be anybody's. */
  | { kind: "refused"; message: string };

export function judgeAuthorization(parameters: Parameters, { clientId, redirectUris, resource }: AuthorizationRules): Judgement {
  const redirectUri = parameters.get("redirect_uri");
  const message = refusal(parameters, { clientId, redirectUris });
  if (message !== undefined || redirectUri === undefined) return { kind: "refused", message: message ?? NO_REDIRECT };
  const { repeated } = parameters;
  const state = repeated.includes("state") ? undefined : parameters.get("state");
  const scopes = readScopes(parameters.get("scope") ?? scopeText(DEFAULT_SCOPES));
  const challenge = parameters.get("code_challenge");
  const fault = faultOf(parameters, resource);
  if (fault !== undefined) return { kind: "returned", redirectUri, state, fault };
  if (challenge === undefined || !isChallenge(challenge)) return { kind: "returned", redirectUri, state, fault: NO_CHALLENGE };
  if (scopes === undefined) return { kind: "returned", redirectUri, state, fault: UNKNOWN_SCOPE };
  return { kind: "asked", request: { redirectUri, state, scopes, challenge } };
}

/** The parameters that ask for the same again. */
export function parametersOf(
  { redirectUri, state, scopes, challenge }: AuthorizationRequest,
  { clientId, resource }: AuthorizationRules,
): Record<string, string> {
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopeText(scopes),
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource,
    ...(state === undefined ? {} : { state }),
  };
}

const NO_REDIRECT = "The program that sent you here did not say where to send the answer: redirect_uri is missing.";

const NO_CHALLENGE: AuthorizationFault = {
  error: "invalid_request",
  description: "code_challenge must be the SHA-256 of the verifier in base64url (PKCE with S256)",
};

const UNKNOWN_SCOPE: AuthorizationFault = { error: "invalid_scope", description: "scope has one that this server does not know" };

/** Why nothing may be sent to the address in the request. Source: RFC 6749, section 3.1.2.4. */
function refusal(
  parameters: Parameters,
  { clientId, redirectUris }: Pick<AuthorizationRules, "clientId" | "redirectUris">,
): string | undefined {
  const { repeated } = parameters;
  if (repeated.includes("client_id") || parameters.get("client_id") !== clientId) {
    return "The program that sent you here is not known: its client_id is not the value of SERVICE_MCP_CLIENT_ID.";
  }
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined) return NO_REDIRECT;
  if (repeated.includes("redirect_uri") || !isPermittedRedirect(redirectUri, redirectUris)) {
    return "The address that the answer should go to is not permitted: redirect_uri must be one of SERVICE_MCP_REDIRECT_URIS as it stands there, or http on this computer itself.";
  }
  return undefined;
}

function faultOf(parameters: Parameters, resource: string): AuthorizationFault | undefined {
  const { repeated } = parameters;
  const invalid = (description: string): AuthorizationFault => ({ error: "invalid_request", description });
  if (repeated.length > 0) return invalid("A parameter is there more than once");
  const responseType = parameters.get("response_type");
  if (responseType === undefined) return invalid("response_type is missing");
  if (responseType !== "code") return { error: "unsupported_response_type", description: "response_type must be code" };
  if ((parameters.get("response_mode") ?? "query") !== "query") return invalid("response_mode must be query");
  // Without a method `plain` is meant. Source: RFC 7636, section 4.3.
  if (parameters.get("code_challenge_method") !== "S256") return invalid("code_challenge_method must be S256");
  if (!isFor(resource, parameters)) {
    return { error: "invalid_target", description: `resource must be ${resource}` };
  }
  return undefined;
}

/** Whether a request is for nothing else. Addresses are compared as addresses, so that another spelling of the host does no harm. */
export function isFor(resource: string, parameters: Parameters): boolean {
  return parameters.all("resource").every((each) => URL.parse(each)?.href === resource);
}

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Whether a client may be asked later for what this came of. Source: RFC 7636, section 4.2. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether the challenge, made by S256, matches this verifier. Source: RFC 7636, section 4.6. */
export function verifies(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const expected = Buffer.from(challenge);
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** This computer, at any port and path. Written out, since parsers take `http://127.1` and `http://localhost\@example.org` for more than they say. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(?:\/[\w.~!$&'()*+,;=:@/%-]*)?$/;
const HIGHEST_PORT = 65_535;

/** A configured address, or this computer at any port, where a native client listens. Source: RFC 8252, section 7.3; OAuth 2.1, section 2.3.1. */
export function isPermittedRedirect(uri: string, configured: readonly string[]): boolean {
  if (configured.includes(uri)) return true;
  const loopback = LOOPBACK.exec(uri);
  if (loopback === null) return false;
  const [, port] = loopback;
  return port === undefined || (Number(port) >= 1 && Number(port) <= HIGHEST_PORT);
}

/** The address with further parameters; those it has stay as they are. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
