import type { Clock } from "../../../platform/clock.ts";
import type { StoredSecrets } from "../../../platform/stored-secrets.ts";
import type { Database } from "../../../storage/database.ts";
import { createVapidStore } from "./store.ts";
import { vapidAuthorization } from "./encryption.ts";

export { encryptPush, isPublicKey } from "./encryption.ts";
export { readSubscription } from "./encryption.ts";

/** Push services require a token that ends within a day. Source: RFC 8292, section 2. */
const TOKEN_SECONDS = 12 * 3600;

/** How this server identifies itself to push services. */
export interface Vapid {
  /** The key with which a browser subscribes; made on first use. Throws `storage_unavailable`. */
  publicKey(): Promise<string>;
  /** The value of `Authorization` for a message to this endpoint. */
  authorizationFor(endpoint: string): Promise<string>;
}

export interface VapidDependencies {
  database: Database;
  secrets: StoredSecrets;
  clock: Clock;
  /** The public origin. */
  baseUrl: string;
}

export function createVapid({ database, secrets, clock, baseUrl }: VapidDependencies): Vapid {
  const store = createVapidStore(database, secrets);
  const base = new URL(baseUrl);
  // A server without https has no address that a push service would accept.
  const contact = base.protocol === "https:" ? base.origin : `mailto:binnacle@${base.hostname}`;
  return {
    publicKey: async () => (await store.keys(clock.now())).publicKey,
    async authorizationFor(endpoint) {
      const now = clock.now();
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now.getTime() / 1000) + TOKEN_SECONDS, sub: contact };
      return vapidAuthorization(claims, await store.keys(now));
    },
  };
}
