import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { SecretPlace, StoredSecrets } from "../../platform/stored-secrets.ts";
import type { Database } from "../database.ts";
import { type Cipher, createCipher, keyIdOf, closeKeyFile, makeKeyFile, readKeyFile, SECRET_COLUMNS, type SecretColumn } from "./cipher.ts";
import { createSecretStore, type SecretStore, type StoredValue } from "./store.ts";

export { createCipher, isOpenToOthers, readKeyFile } from "./cipher.ts";
export { sealedKeyIds } from "./store.ts";

export interface StoredSecretsOptions {
  database: Database;
  /** SERVICE_SECRET_KEY; undefined when the key is in a file. */
  key: Buffer | undefined;
  /** SERVICE_OLD_SECRET_KEY: values that it opens are sealed again with the new key. */
  previousKey: Buffer | undefined;
  /** The path of the key file. */
  keyPath: string;
  log: Log;
}

/** Starts after the database and before the parts that read secrets. */
export function createStoredSecrets(options: StoredSecretsOptions): StoredSecrets & { start(): Promise<void> } {
  let current: Cipher | undefined;

  function cipher(): Cipher {
    if (current === undefined) throw new Error("secrets are sealed and opened after the start alone");
    return current;
  }

  return {
    seal: (text, place) => cipher().seal(text, place),
    open(stored, place) {
      const text = cipher().open(stored, place);
      if (text === undefined) throw new Error(`the stored ${place.column} of ${place.table} ${place.id} does not open`);
      return text;
    },
    async start() {
      current = await prepare(options);
    },
  };
}

/**
 * Finds or makes the key, checks that it opens every sealed value, and seals values stored in clear text, a batch in each unit: an interrupted start
 * resumes where it stopped. Throws a StartError, before anything is changed, when a value cannot be opened.
 */
async function prepare({ database, key, previousKey, keyPath, log }: StoredSecretsOptions): Promise<Cipher> {
  const store = createSecretStore(database);
  const found = key ?? readKeyFile(keyPath);
  const keyName = key === undefined ? keyPath : "SERVICE_SECRET_KEY";
  const previous = previousKey === undefined ? undefined : createCipher(previousKey);
  const known = [found === undefined ? undefined : createCipher(found), previous].filter((each) => each !== undefined);

  for (const column of SECRET_COLUMNS) {
    for await (const page of store.pages(column)) {
      for (const stored of page) {
        const keyId = keyIdOf(stored.value);
        if (keyId === undefined || openWith(known, column, stored) !== undefined) continue;
        throw refusal({
          column,
          stored,
          keyPath,
          keyName: found === undefined ? undefined : keyName,
          isKeyKnown: known.some((each) => each.keyId === keyId),
        });
      }
    }
  }

  if (key === undefined && found !== undefined) closeKeyFile(keyPath, log);
  const current = createCipher(found ?? makeKeyFile(keyPath));
  if (found === undefined) log.info({ path: keyPath }, "a key for stored secrets was made: back it up together with the database");
  if (found === undefined && database.capabilities.migrationLock !== null)
    log.warn(
      { path: keyPath },
      "the key of the stored secrets is in the data folder, and the database is elsewhere: keep the folder, or set SERVICE_SECRET_KEY, the same for each server",
    );
  await sealAll({ store, current, previous, log });
  await forgetClearText(database, store, log);
  return current;
}

/** Seals values that are in clear text or were sealed with the previous key. */
async function sealAll({
  store,
  current,
  previous,
  log,
}: {
  store: SecretStore;
  current: Cipher;
  previous: Cipher | undefined;
  log: Log;
}): Promise<void> {
  let count = 0;
  for (const column of SECRET_COLUMNS) {
    for await (const page of store.pages(column)) {
      const waiting = page.filter(({ value }) => keyIdOf(value) !== current.keyId);
      if (waiting.length === 0) continue;
      await store.replace(
        column,
        waiting.map((stored) => {
          const place = placeOf(column, stored);
          return { id: stored.id, value: current.seal(previous?.open(stored.value, place) ?? stored.value, place) };
        }),
      );
      count += waiting.length;
    }
  }
  if (count > 0) log.info({ values: count }, "stored secrets were sealed");
}

/**
 * Removes values that are sealed now from free space in the database files. Tried at every start until it succeeds, with a warning when it does not.
 */
async function forgetClearText(database: Database, store: SecretStore, log: Log): Promise<void> {
  const tables = await store.tablesWithOldRows();
  if (tables.length === 0) return;
  const reason = await database.forgetOldRows(tables).then(
    (isDone) => (isDone ? null : "the file is large"),
    (error: unknown) => messageOf(error),
  );
  if (reason === null) await store.oldRowsAreForgotten(tables);
  else log.warn({ reason }, "free space in the files of the database may still hold secrets in clear text: see docs/storage.md, Secrets");
}

function openWith(ciphers: readonly Cipher[], column: SecretColumn, stored: StoredValue): string | undefined {
  for (const cipher of ciphers) {
    const text = cipher.open(stored.value, placeOf(column, stored));
    if (text !== undefined) return text;
  }
  return undefined;
}

function placeOf({ table, column }: SecretColumn, { id }: StoredValue): SecretPlace {
  return { table, column, id };
}

interface Refused {
  column: SecretColumn;
  stored: StoredValue;
  keyPath: string;
  /** Where the key comes from; undefined when there is none. */
  keyName: string | undefined;
  /** Whether the key of the value exists, although it does not open the value. */
  isKeyKnown: boolean;
}

function refusal({ column, stored, keyPath, keyName, isKeyKnown }: Refused): StartError {
  const value = `${column.what} "${stored.name}" (${column.table}.${column.column}, id ${stored.id})`;
  if (isKeyKnown)
    return new StartError(
      `Stored secrets cannot be opened: ${value} was changed in the database, or comes from another row. Restore a backup, or delete that row and enter it again. Nothing was changed.`,
    );
  const why =
    keyName === undefined
      ? `their key is missing: there is no file ${keyPath}, and SERVICE_SECRET_KEY is not set`
      : `${keyName} is not the key that ${value} was sealed with`;
  return new StartError(
    `Stored secrets cannot be opened: ${why}. Put back the file secret.key of this database's server, or give its key with SERVICE_SECRET_KEY or SERVICE_OLD_SECRET_KEY; several servers of one database need the same key. Nothing was changed. If the key is lost, see "Secrets" in docs/storage.md.`,
  );
}
