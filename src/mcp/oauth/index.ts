import type { AdminAccess } from "../../http/admin-access.ts";
import type { Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { McpAccess } from "../access.ts";
import { createAdmission } from "./admission.ts";
import { LIFETIMES, SHOWN_MS } from "./connection.ts";
import { createConnectionStore } from "./connection-store.ts";
import { createConsentService } from "./consent.ts";
import { addressesOf } from "./metadata.ts";
import { connectionRoutes, oauthRoutes } from "./routes.ts";
import { createOAuthStore } from "./store.ts";
import { hashOf } from "./token.ts";
import { createTokenService } from "./tokens.ts";

export interface OAuthDependencies {
  database: Database;
  clientId: string;
  /** Its text is not kept. */
  clientSecret: string;
  /** In addition to this computer itself. */
  redirectUris: readonly string[];
  /** The public address of this server. */
  baseUrl: string;
  /** Where there is an admin token, only who knows it may let a client in. */
  adminAccess: Pick<AdminAccess, "callerOf" | "accepts"> | undefined;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** What is open under connections. */
interface OpenConnections {
  /** The connection was ended before its time: nothing may be open under it any more. */
  close(connectionId: number): void;
}

export interface OAuth {
  access: McpAccess;
  routes: Route[];
  /** Ends all connections if they were made with another client id or secret. */
  start(open: OpenConnections): Promise<void>;
  /** Keeps what the program of a connection calls itself. */
  noteClient(connectionId: number, name: string): void;
}

/** The authorization server of MCP: OAuth 2.1 for one client, whose every connection a person has allowed. */
export function createOAuth(dependencies: OAuthDependencies): OAuth {
  const { database, clientId, clientSecret, redirectUris, baseUrl, adminAccess, clock, scheduler, log } = dependencies;
  const store = createOAuthStore(database);
  const connections = createConnectionStore(database);
  const client = { id: clientId, secretHash: hashOf(clientSecret) };
  const addresses = addressesOf(baseUrl);
  const rules = { clientId, redirectUris, resource: addresses.resource };
  const admission = createAdmission({ store, connections, addresses, clock, log });
  /** Undefined before the start. */
  let open: OpenConnections | undefined;
  const onEnd = (connectionId: number): void => {
    admission.forget();
    open?.close(connectionId);
  };
  const shared = { store, addresses, onEnd, clock, log };
  const consent = createConsentService({ ...shared, rules, adminAccess });
  const tokens = createTokenService({ ...shared, client });

  async function purge(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    while (!signal.aborted && (await connections.purge(now, new Date(now.getTime() - SHOWN_MS))));
  }

  return {
    access: admission.access,
    routes: [...oauthRoutes({ consent, tokens, addresses }), ...connectionRoutes({ ...shared, store: connections })],
    async start(connectionsOpen) {
      open = connectionsOpen;
      const ended = await store.adopt(client, clock.now());
      admission.forget();
      if (ended > 0)
        log.warn(
          { connections: ended },
          "the id or secret of the MCP client has changed; all connections made with the old one were ended",
        );
      scheduler.every({ name: "mcp tokens", everyMs: LIFETIMES.purgedEveryMs, firstAfterMs: 100_000, run: purge });
    },
    noteClient: admission.noteClient,
  };
}
