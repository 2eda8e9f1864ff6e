import { joinWords } from "../../../../../src/contract/words.ts";
import type { ConnectionRecord } from "../../../../../src/mcp/oauth/answers.ts";
import type { Status } from "../../../format/status.ts";

/** How a connection stands. */
export const CONNECTION_WORDS: Readonly<Record<ConnectionRecord["status"], { status: Status; word: string }>> = {
  active: { status: "ok", word: "Connected" },
  expired: { status: "idle", word: "Expired" },
  revoked: { status: "idle", word: "Revoked" },
};

/** What each scope allows. */
export const SCOPE_WORDS: Readonly<Record<ConnectionRecord["scopes"][number], { does: string; sentence: string }>> = {
  "monitor:read": {
    does: "reads",
    sentence: "Read everything monitored: containers and their logs, resources, checks, certificates, updates, security, alerts.",
  },
  "alerts:write": {
    does: "acknowledges alerts",
    sentence: "Acknowledge alerts, which stops their escalation for everyone. Granted only if you tick it when you allow the assistant.",
  },
};

export function scopeWords(scopes: ConnectionRecord["scopes"]): string {
  return joinWords(scopes.map((scope) => SCOPE_WORDS[scope].does));
}

/** What a connection is called: by its client, or by where its tokens went. */
export function connectionName({
  client_name: name,
  redirect_uri: redirectUri,
}: Pick<ConnectionRecord, "client_name" | "redirect_uri">): string {
  return name ?? `An assistant at ${placeOf(redirectUri)}`;
}

/** Where the answer went when it was let in, in a word. */
export function placeOf(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return redirectUri;
  return isWeb(url) ? url.host : url.protocol;
}

/** The same in words: what took the answer. */
export function placeWords(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return redirectUri;
  if (!isWeb(url)) return `the application that opens ${url.protocol} addresses`;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname) ? `a program on its user's computer (${url.host})` : url.host;
}

/** Whether an address is none that a client could open: a server listens there on all its addresses. */
export function reachesNobody(address: string): boolean {
  return ["0.0.0.0", "[::]"].includes(URL.parse(address)?.hostname ?? "");
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
