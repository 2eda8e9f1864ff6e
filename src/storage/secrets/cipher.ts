import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { parseSecretKey } from "../../platform/secrets.ts";
import type { SecretPlace } from "../../platform/stored-secrets.ts";
import { writeWholeFile, makeFolder, readBoundedFile } from "../../platform/files.ts";

/** Seals and opens values with one key. */
export interface Cipher {
  /** Identifies the key without revealing it; a part of every sealed value. */
  keyId: string;
  seal(text: string, place: SecretPlace): string;
  /** undefined when the value was sealed with another key, was changed, or belongs to another place. */
  open(sealed: string, place: SecretPlace): string | undefined;
}

/** The beginning of every sealed value; the id of its key follows. */
export const SEALED_PREFIX = "sealed:v1:";
export const KEY_ID_LENGTH = 8;

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = new RegExp(`^${SEALED_PREFIX}([0-9a-f]{${KEY_ID_LENGTH}}):([\\w-]*)$`);

/** The format is `sealed:v1:KEY_ID:` and, in base64url, a random nonce, the encrypted text and the tag of AES-256-GCM. Source: NIST SP 800-38D. */
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
        // The tag is wrong.
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

const LARGEST_FILE = 1024;

/** The key in a file; undefined when the file does not exist. Throws a StartError when it cannot be read or contains no key. */
export function readKeyFile(path: string): Buffer | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const key = parseSecretKey(readBoundedFile(path, LARGEST_FILE).trim());
    if (key === undefined) throw new Error("it does not hold 32 bytes as base64 or as hexadecimal digits");
    return key;
  } catch (error) {
    throw new StartError(
      `The key of the stored secrets, ${path}, cannot be used: ${messageOf(error)}. Put back a copy of it, or give the key with SERVICE_SECRET_KEY.`,
      { cause: error },
    );
  }
}

/** Makes a key and writes it to a file that only this user can read. Throws a StartError when that fails. */
export function makeKeyFile(path: string): Buffer {
  const key = randomBytes(32);
  try {
    makeFolder(dirname(path));
    writeWholeFile(path, `${key.toString("base64")}\n`);
  } catch (error) {
    throw new StartError(
      `The key of the stored secrets, ${path}, cannot be written: ${messageOf(error)}. Make its folder writable, or give a key with SERVICE_SECRET_KEY.`,
      { cause: error },
    );
  }
  return key;
}

/** Whether other users may read the file; false when it does not exist. */
export function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Restricts the file to this user, since a restored copy may be open to others. */
export function closeKeyFile(path: string, log: Log): void {
  if (!isOpenToOthers(path)) return;
  try {
    chmodSync(path, 0o600);
    log.warn({ path }, "other users could read the key of the stored secrets; its permissions were corrected");
  } catch (error) {
    log.warn(
      { path, reason: messageOf(error) },
      "other users may read the key of the stored secrets, and its permissions cannot be changed",
    );
  }
}

/** A column whose values are stored sealed. */
export interface SecretColumn {
  table: string;
  column: string;
  /** The name of a value in a sentence, before the name of its row. */
  what: string;
  /** The migration that makes the table. */
  since: string;
  /** SQL for the rows that hold secrets; all when undefined. */
  where?: string;
}

/** Every column with secrets that must be read again. Other secrets are kept as hashes or not at all: see docs/storage.md. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: "channels", column: "url", what: "the address of the channel", since: "007-channels" },
  { table: "channels", column: "headers", what: "the headers of the channel", since: "007-channels" },
  { table: "webhooks", column: "url", what: "the address of the webhook subscription", since: "010-deliveries" },
  { table: "webhooks", column: "secret", what: "the signing secret of the webhook subscription", since: "010-deliveries" },
  { table: "vapid_keys", column: "private_key", what: "the private key for browser notifications", since: "042-vapid-keys" },
  // Credentials in labels are masked before they are stored.
  {
    table: "endpoints",
    column: "checked",
    what: "the target and headers of the endpoint",
    since: "004-endpoints",
    where: "label_key IS NULL",
  },
];
