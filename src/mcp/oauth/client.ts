import { timingSafeEqual } from "node:crypto";
import { type Parameters, OAuthFault } from "./parameters.ts";
import { hashOf } from "./token.ts";

/** The one client of this server; its secret is here as SHA-256 alone. */
export interface Client {
  id: string;
  secretHash: string;
}

interface Credentials {
  id: string;
  secret: string;
}

/** Throws an OAuthFault unless a request proves to come from the client, by HTTP Basic or by its body. Source: RFC 6749, section 2.3. */
export function authenticate(client: Client, authorization: string | undefined, parameters: Parameters): void {
  const isClient = readCredentials(authorization, parameters).map((given) => {
    // Both are compared, and both as digests, so that the time it takes reveals neither.
    const isId = equalDigests(hashOf(given.id), hashOf(client.id));
    const isSecret = equalDigests(hashOf(given.secret), client.secretHash);
    return isId && isSecret;
  });
  if (!isClient.includes(true)) throw new OAuthFault("invalid_client", "No client is known by this id and secret.");
}

/** What may be meant: the credentials in each of their spellings. */
function readCredentials(authorization: string | undefined, parameters: Parameters): Credentials[] {
  const id = parameters.get("client_id");
  const secret = parameters.get("client_secret");
  if (authorization === undefined) {
    if (id !== undefined && secret !== undefined) return [{ id, secret }];
    throw new OAuthFault("invalid_client", "The client must authenticate, by HTTP Basic or by client_id and client_secret in the body.");
  }
  if (secret !== undefined) {
    throw new OAuthFault("invalid_request", "The client authenticates twice: leave out the Authorization header or client_secret.");
  }
  const spellings = readBasic(authorization);
  if (spellings.length === 0) throw new OAuthFault("invalid_client", "The Authorization header is not HTTP Basic with an id and a secret.");
  if (id !== undefined && !spellings.some((basic) => basic.id === id)) {
    throw new OAuthFault("invalid_request", "client_id is another than the Authorization header has.");
  }
  return spellings;
}

/** RFC 6749 encodes both halves as in a form; many clients send them as they are. Both are compared, so that timing reveals nothing. */
function readBasic(header: string): Credentials[] {
  const encoded = /^basic +([\w+/-]+={0,2})$/i.exec(header)?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  if (colon === -1) return [];
  const plain = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  return [{ id: decoded(plain.id), secret: decoded(plain.secret) }, plain];
}

/** What is no such encoding is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function equalDigests(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
