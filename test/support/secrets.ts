import type { StoredSecrets } from "../../src/platform/stored-secrets.ts";
import { createCipher } from "../../src/storage/secrets/index.ts";

/** Secrets sealed with one key for all tests, also for those that share a database between programs. */
export const testSecrets: StoredSecrets = secretsOf(Buffer.alloc(32, 7));

function secretsOf(key: Buffer): StoredSecrets {
  const { seal, open } = createCipher(key);
  return {
    seal,
    open(stored, place) {
      const text = open(stored, place);
      if (text === undefined) throw new Error(`${place.table}.${place.column} ${place.id} does not open`);
      return text;
    },
  };
}
