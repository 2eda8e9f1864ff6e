import type { Clock } from "../../platform/clock.ts";
import type { Outbound, OutboundOpened } from "../../platform/outbound.ts";
import { readBody } from "../../platform/outbound-body.ts";
import { type Repository, RegistryError } from "../image.ts";
import { readJson } from "./faults.ts";
import type { Keychain, Credentials } from "./keychain.ts";
import { createMemory } from "./memory.ts";
import { tokenSchema } from "./schemas.ts";

/** What to say in the header `Authorization`. */
export interface Authorization {
  /** Before the registry is asked, by what is known of it; undefined when nothing is. */
  known(repository: Repository, signal: AbortSignal): Promise<string | undefined>;
  /** After it answered 401; throws a RegistryError when there is nothing to answer. */
  answer(repository: Repository, header: string | undefined, signal: AbortSignal): Promise<string>;
  /** What to throw when even that was answered with 401. */
  refusal(repository: Repository): Promise<RegistryError>;
}

export interface AuthorizationOptions {
  outbound: Pick<Outbound, "open">;
  keychain: Keychain;
  /** Which registries are asked over plain http. */
  plainHttp: (registry: string) => boolean;
  clock: Clock;
}

const TIMEOUTS = { timeoutMs: 15_000, wholeMs: 15_000 };
const TOKEN_ANSWER_BYTES = 65_536;
const REMEMBERED = { tokens: 2_097_152, challenges: 262_144 };
/** When a token server does not say how long its tokens live, and the longest that is believed. Source: distribution, Token authentication. */
const LIFE = { defaultSeconds: 60, mostSeconds: 3600 };
const CLIENT = "binnacle";

export function createAuthorization({ outbound, keychain, plainHttp, clock }: AuthorizationOptions): Authorization {
  const tokens = createMemory<{ value: string; untilMs: number }>(REMEMBERED.tokens);
  const challenges = createMemory<Challenge>(REMEMBERED.challenges);

  async function refusal({ registry, repository }: Repository, what = "does not let"): Promise<RegistryError> {
    const { note } = await keychain.find({ registry, repository });
    return new RegistryError("unauthorized", `${registry} ${what} ${repository} be read, or does not have it; it was asked ${note}.`);
  }

  async function headerFor(repository: Repository, challenge: Challenge, signal: AbortSignal): Promise<string> {
    const { credentials, note } = await keychain.find(repository);
    if (credentials?.kind === "registry") return `Bearer ${safe(credentials.token)}`;
    if (challenge.scheme === "bearer") return fetchToken(repository, challenge, { credentials, note }, signal);
    if (credentials?.kind === "password") return basic(credentials);
    throw await refusal(repository);
  }

  async function fetchToken(
    { registry, repository }: Repository,
    { realm, service, scope }: Challenge & { scheme: "bearer" },
    { credentials, note }: { credentials: Credentials | undefined; note: string },
    signal: AbortSignal,
  ): Promise<string> {
    const url = URL.parse(realm);
    if (url === null) throw new RegistryError("malformed", `${registry} names a token server that is no address.`);
    // The list of private hosts may allow more than credentials should meet.
    if (credentials !== undefined && url.protocol !== "https:" && !plainHttp(url.host))
      throw new RegistryError("refused", `${registry} asks for credentials to be sent to ${url.host} over plain http.`);
    const asked = new URLSearchParams({ scope: scope ?? scopeOf(repository), client_id: CLIENT });
    if (service !== null) asked.set("service", service);
    const startedMs = clock.monotonicMs();
    let opened: OutboundOpened;
    if (credentials?.kind === "identity") {
      asked.set("grant_type", "refresh_token");
      asked.set("refresh_token", credentials.token);
      const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
      opened = await outbound.open({ url: url.href, method: "POST", headers, body: asked.toString(), signal, ...TIMEOUTS });
    } else {
      for (const [name, value] of asked) url.searchParams.set(name, value);
      const headers = { accept: "application/json", ...(credentials?.kind === "password" ? { authorization: basic(credentials) } : {}) };
      opened = await outbound.open({ url: url.href, method: "GET", headers, signal, ...TIMEOUTS });
    }
    const body = await readBody(opened, TOKEN_ANSWER_BYTES);
    if ([400, 401, 403].includes(opened.status))
      throw new RegistryError("unauthorized", `${url.host} gives no token for ${repository} of ${registry}; it was asked ${note}.`);
    if (opened.status === 429) throw new RegistryError("rate_limited", `${url.host} gives no more tokens for ${registry} for now.`);
    if (opened.status !== 200)
      throw new RegistryError("unavailable", `${url.host} answered ${opened.status} when asked for a token of ${registry}.`);
    const answer = readJson(body, tokenSchema, `The token of ${url.host}`);
    const token = answer.token || answer.access_token;
    if (!token) throw new RegistryError("malformed", `${url.host} answered without a token for ${registry}.`);
    const seconds = Math.min(Math.max(answer.expires_in ?? LIFE.defaultSeconds, 0), LIFE.mostSeconds);
    const untilMs = startedMs + seconds * 900;
    const value = `Bearer ${safe(token)}`;
    tokens.set(`${registry}/${repository}`, { value, untilMs }, value.length);
    return value;
  }

  return {
    refusal,
    async known(repository, signal) {
      const challenge = challenges.get(repository.registry);
      if (challenge === undefined) return undefined;
      const token = tokens.get(`${repository.registry}/${repository.repository}`);
      if (challenge.scheme === "bearer" && token !== undefined && token.untilMs > clock.monotonicMs()) return token.value;
      // What it refused to show of one repository it may show of another to anybody.
      if (challenge.scheme === "basic" && (await keychain.find(repository)).credentials === undefined) return undefined;
      return headerFor(repository, challenge, signal);
    },
    async answer(repository, header, signal) {
      tokens.delete(`${repository.registry}/${repository.repository}`);
      const challenge = readChallenge(header);
      if (challenge === undefined) throw await refusal(repository);
      // Asked without a scope, so that the next repository can ask for its own token at once.
      const general = challenge.scheme === "bearer" ? { ...challenge, scope: null } : challenge;
      challenges.set(repository.registry, general, header?.length ?? 0);
      return headerFor(repository, challenge, signal);
    },
  };
}

function scopeOf(repository: string): string {
  return `repository:${repository}:pull`;
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** A token goes into a header, where it must not begin another. */
function safe(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new RegistryError("malformed", "A token has characters that no header can have.");
  return token;
}

/** How a registry wants to be asked, as it says with 401. */
type Challenge = { scheme: "bearer"; realm: string; service: string | null; scope: string | null } | { scheme: "basic" };

const LONGEST_HEADER = 4096;
/** A scheme, or a name with a value, quoted or not. */
const PART = /([A-Za-z][A-Za-z0-9_-]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/** Reads `WWW-Authenticate`; the better one when there are several, undefined when none is known. Sources: RFC 9110, section 11; distribution, Token authentication. */
export function readChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const found: { scheme: string; values: Map<string, string> }[] = [];
  for (const [, name = "", quoted, plain] of header.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), values: new Map() });
    else found.at(-1)?.values.set(name.toLowerCase(), value);
  }
  for (const { scheme, values } of found) {
    const realm = values.get("realm");
    if (scheme !== "bearer" || realm === undefined || realm === "") continue;
    return { scheme, realm, service: values.get("service") ?? null, scope: values.get("scope") ?? null };
  }
  return found.some(({ scheme }) => scheme === "basic") ? { scheme: "basic" } : undefined;
}
