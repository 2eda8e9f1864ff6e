import type { StoredSecrets } from "../../../platform/stored-secrets.ts";
import type { Database } from "../../../storage/database.ts";
import { newVapidKeys, type VapidKeys } from "./encryption.ts";

/** See storage/migrations/042-vapid-keys.ts. */
interface VapidTables {
  vapid_keys: { id: number; name: string; public_key: string; private_key: string; created_at: number };
}

/** There is one pair. */
const ID = 1;
/** The name of the row in a sentence. */
const NAME = "web push";

/** The server's key pair, made on first use. */
export interface VapidStore {
  keys(now: Date): Promise<VapidKeys>;
}

export function createVapidStore(database: Database, secrets: StoredSecrets): VapidStore {
  const tables = database.tables<VapidTables>();
  const place = { table: "vapid_keys", column: "private_key", id: ID };
  let known: VapidKeys | undefined;

  return {
    async keys(now) {
      known ??= await tables.write(async (tx) => {
        const { publicKey, privateKey } = newVapidKeys();
        // If several servers share a database, the keys of the first one are kept.
        await tx
          .insertInto("vapid_keys")
          .values({ id: ID, name: NAME, public_key: publicKey, private_key: secrets.seal(privateKey, place), created_at: now.getTime() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const row = await tx.selectFrom("vapid_keys").selectAll().where("id", "=", ID).executeTakeFirstOrThrow();
        return { publicKey: row.public_key, privateKey: secrets.open(row.private_key, place) };
      });
      return known;
    },
  };
}
