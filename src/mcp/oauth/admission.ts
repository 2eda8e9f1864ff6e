import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import { type McpAccess, McpRefusal } from "../access.ts";
import type { Scope } from "../tool.ts";
import { BOUNDS } from "./connection.ts";
import type { Addresses } from "./metadata.ts";
import { DEFAULT_SCOPES, scopeText } from "./scopes.ts";
import type { ConnectionStore } from "./connection-store.ts";
import type { AccessToken, OAuthStore } from "./store.ts";
import { hashOf, isToken } from "./token.ts";

/** Who comes with an access token. */
export interface Admission {
  access: McpAccess;
  /** Keeps what the program of a connection calls itself. */
  noteClient(connectionId: number, name: string): void;
  /** Looks everything up again: a connection has ended. */
  forget(): void;
}

/** How long an access token that was looked up is known without looking. Another server on the same database may have ended its connection. */
const KNOWN_MS = 1000;
const MOST_KNOWN = 500;
const USE_SAVED_EVERY_MS = MINUTE_MS;
const NAME_LENGTH = 100;

export function createAdmission({
  store,
  connections,
  addresses,
  clock,
  log,
}: {
  store: Pick<OAuthStore, "findAccess">;
  connections: Pick<ConnectionStore, "saveUse" | "saveName">;
  addresses: Addresses;
  clock: Clock;
  log: Log;
}): Admission {
  const known = new Map<string, { token: AccessToken; lookedUpMs: number }>();
  /** When the use of a connection was saved last, and its name. */
  const saved = new Map<number, { useMs: number; name: string | null }>();
  let generation = 0;

  async function find(hash: string): Promise<AccessToken | undefined> {
    const entry = known.get(hash);
    if (entry !== undefined && clock.monotonicMs() - entry.lookedUpMs < KNOWN_MS) return entry.token;
    const lookedUpMs = clock.monotonicMs();
    const asked = generation;
    const token = await store.findAccess(hash);
    known.delete(hash);
    // What was ended while it was looked up must not be known for longer.
    if (token !== undefined && asked === generation) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(hash, { token, lookedUpMs });
    }
    return token;
  }

  function savedOf({ connectionId, clientName, lastUsedAt }: AccessToken): { useMs: number; name: string | null } {
    const before = saved.get(connectionId);
    if (before !== undefined) return before;
    if (saved.size >= BOUNDS.active * 2) saved.clear();
    const first = { useMs: lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY, name: clientName };
    saved.set(connectionId, first);
    return first;
  }

  /** Nobody waits for it, and a use that is not saved is no loss. */
  function save(work: Promise<void>, what: string): void {
    work.catch((error: unknown) => log.debug({ reason: messageOf(error) }, what));
  }

  function noteUse(token: AccessToken, now: Date): void {
    const before = savedOf(token);
    if (now.getTime() - before.useMs < USE_SAVED_EVERY_MS) return;
    before.useMs = now.getTime();
    save(connections.saveUse(token.connectionId, now), "the last use of an MCP connection was not saved");
  }

  function challenge(scopes: readonly Scope[], error?: string): string {
    const parts = [`resource_metadata="${addresses.resourceMetadata}"`, `scope="${scopeText(scopes)}"`];
    return `Bearer ${(error === undefined ? parts : [`error="${error}"`, ...parts]).join(", ")}`;
  }

  function refused(): McpRefusal {
    const message =
      "The access token is not valid: it is unknown, has expired or was revoked. Use the refresh token, or ask for authorization again.";
    return new McpRefusal(401, { challenge: challenge(DEFAULT_SCOPES, "invalid_token"), message });
  }

  return {
    access: {
      async admit(authorization) {
        const bearer = /^bearer +(.+)$/i.exec(authorization ?? "")?.[1];
        if (bearer === undefined) {
          const message = "This needs an access token in the Authorization header: see WWW-Authenticate for how to get one.";
          throw new McpRefusal(401, { challenge: challenge(DEFAULT_SCOPES), message });
        }
        const token = isToken(bearer) ? await find(hashOf(bearer)) : undefined;
        const now = clock.now();
        if (token === undefined || token.expiresAt.getTime() <= now.getTime() || token.resource !== addresses.resource) throw refused();
        noteUse(token, now);
        return { id: token.connectionId, scopes: token.scopes, clientName: savedOf(token).name };
      },
      insufficient: (scopes) =>
        new McpRefusal(403, {
          challenge: challenge(scopes, "insufficient_scope"),
          message: `This needs the scopes ${scopeText(scopes)}: ask for authorization again, with them.`,
        }),
    },
    noteClient(connectionId, name) {
      const cleaned = cleanName(name, NAME_LENGTH);
      const before = saved.get(connectionId);
      if (cleaned === "" || before === undefined || before.name === cleaned) return;
      before.name = cleaned;
      save(connections.saveName(connectionId, cleaned), "the name of an MCP client was not saved");
    },
    forget() {
      generation += 1;
      known.clear();
    },
  };
}
