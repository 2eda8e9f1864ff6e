import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SecretPlace } from "../../platform/stored-secrets.ts";

/** Seals and opens values with one key. */
export interface Cipher {
  /** Names the key without giving it away; part of every value that it seals. */
  keyId: string;
  seal(text: string, place: SecretPlace): string;
  /** Undefined when the value was sealed with another key, was changed, or belongs to another place. */
  open(sealed: string, place: SecretPlace): string | undefined;
}

/** What every sealed value begins with; the id of its key follows. */
export const SEALED_PREFIX = "sealed:v1:";
export const KEY_ID_LENGTH = 8;

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = new RegExp(`^${SEALED_PREFIX}([0-9a-f]{${KEY_ID_LENGTH}}):([\\w-]*)$`);

/** `sealed:v1:KEY_ID:` and, in base64url, a random nonce, the encrypted text and the tag of AES-256-GCM. Source: NIST SP 800-38D. */
export function createCipher(key: Buffer): Cipher {
  const encryptionKey = Buffer.from(hkdfSync("sha256", key, "", "binnacle stored secrets v1", 32));
  const keyId = createHmac("sha256", key).update("binnacle key id").digest("hex").slice(0, KEY_ID_LENGTH);

  return {
    keyId,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, encryptionKey, nonce, { authTagLength: TAG_BYTES }).setAAD(labelOf(place));
      const bytes = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${SEALED_PREFIX}${keyId}:${bytes.toString("base64url")}`;
    },
    open(sealed, place) {
      const [, id, text = ""] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(text, "base64url");
      if (id !== keyId || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, encryptionKey, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(labelOf(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The tag does not fit.
        return undefined;
      }
    },
  };
}

/** The id of the key of a sealed value; undefined for clear text. */
export function keyIdOf(stored: string): string | undefined {
  return stored.startsWith(SEALED_PREFIX) ? stored.slice(SEALED_PREFIX.length, SEALED_PREFIX.length + KEY_ID_LENGTH) : undefined;
}

function labelOf({ table, column, id }: SecretPlace): Buffer {
  return Buffer.from(`${table}.${column}:${id}`);
}
