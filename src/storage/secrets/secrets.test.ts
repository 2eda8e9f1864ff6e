import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { sql } from "kysely";
import { alertingRows } from "../../../test/support/secret-rows.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { StartError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { parseSecretKey } from "../../platform/secrets.ts";
import type { Database } from "../database.ts";
import { SECRET_COLUMNS } from "./cipher.ts";
import { createCipher, createStoredSecrets, type StoredSecretsOptions } from "./index.ts";

const PLACE = { table: "channels", column: "url", id: 7 };

it("opens what it sealed, at its place and with its key alone", () => {
  const key = randomBytes(32);
  const { seal, open, keyId } = createCipher(key);
  const sealed = seal("https://hooks.example/s3cret ü", PLACE);
  assert.match(sealed, new RegExp(`^sealed:v1:${keyId}:[\\w-]+$`));
  assert.equal(open(sealed, PLACE), "https://hooks.example/s3cret ü");
  assert.notEqual(seal("https://hooks.example/s3cret ü", PLACE), sealed, "each value has its own nonce");
  for (const other of [{ id: 8 }, { column: "headers" }, { table: "webhooks" }])
    assert.equal(open(sealed, { ...PLACE, ...other }), undefined);
  assert.equal(createCipher(randomBytes(32)).open(sealed, PLACE), undefined);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    if (
      Buffer.from(changed.slice(19), "base64url").equals(Buffer.from(sealed.slice(19), "base64url")) &&
      changed.startsWith(sealed.slice(0, 19))
    )
      continue;
    assert.equal(open(changed, PLACE), undefined, `changed at ${at}`);
  }
  for (const other of ["", "clear", "sealed:v1:", `sealed:v1:${keyId}:`, `sealed:v1:${keyId}:AAAA`, sealed.slice(0, -4)])
    assert.equal(open(other, PLACE), undefined);
});

it("reads keys as base64 and as hexadecimal digits", () => {
  const key = randomBytes(32);
  for (const form of ["hex", "base64", "base64url"] as const) assert.deepEqual(parseSecretKey(key.toString(form)), key);
  for (const text of ["", "secret", key.toString("hex").slice(1), `${key.toString("base64")}A`, randomBytes(31).toString("base64")])
    assert.equal(parseSecretKey(text), undefined);
});

onBothDatabases((databases) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-secrets-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function start(database: Database, options: Partial<StoredSecretsOptions> = {}): Promise<string> {
    const keyPath = options.keyPath ?? join(folder, randomUUID(), "secret.key");
    const secrets = createStoredSecrets({ database, key: undefined, previousKey: undefined, log: silentLog, ...options, keyPath });
    await secrets.start();
    for (const [place, stored] of await alertingRows.stored(database)) {
      const clear = alertingRows.clear(place);
      assert.equal(secrets.open(stored, place).slice(0, clear.length), clear);
    }
    return keyPath;
  }

  /** Every value of every table, as text. */
  async function wholeText(database: Database): Promise<string> {
    const { read } = database.tables<object>();
    const texts: string[] = [];
    for (const { name } of await read.introspection.getTables())
      texts.push(JSON.stringify((await sql`SELECT * FROM ${sql.table(name)}`.execute(read)).rows));
    return texts.join("\n");
  }

  const refused = (pattern: RegExp) => (error: unknown) => error instanceof StartError && pattern.test(error.message);

  it("seals clear values at the first start with a key that it makes for this user alone, and nothing twice", async () => {
    const database = await databases.create();
    await alertingRows.insert(database);
    assert.match(await wholeText(database), /s3cret/);
    const keyPath = await start(database);
    assert.equal(statSync(keyPath).mode & 0o777, 0o600);
    const sealed = await wholeText(database);
    assert.doesNotMatch(sealed, /s3cret/);
    await start(database, { keyPath });
    assert.equal(await wholeText(database), sealed);
  });

  it("continues where an interrupted start ended", async () => {
    const database = await databases.create();
    await alertingRows.insert(database);
    const keyPath = await start(database);
    await alertingRows.makeClear(database, "webhooks");
    assert.match(await wholeText(database), /s3cret/);
    await start(database, { keyPath });
    assert.doesNotMatch(await wholeText(database), /s3cret/);
  });

  it("removes clear text from the disk at a later start when the first was interrupted, and once", async () => {
    const database = await databases.create();
    await alertingRows.insert(database);
    const asked: (readonly string[])[] = [];
    const forgetting = (outcome: () => Promise<boolean>): Database => ({
      ...database,
      forgetOldRows(tables) {
        asked.push(tables);
        return outcome();
      },
    });
    const log = createLogCapture();
    const failing = forgetting(() => Promise.reject(new Error("no room")));
    const keyPath = await start(failing, { log: log.log });
    assert.match(log.text(), /may still hold secrets in clear text.*no room/);
    await start(failing, { keyPath });
    await start(
      forgetting(async () => false),
      { keyPath, log: log.log },
    );
    assert.match(log.text(), /the file is large/);
    assert.deepEqual(
      asked,
      Array.from({ length: 3 }, () => ["channels", "endpoints", "webhooks"]),
    );
    await start(database, { keyPath });
    await start(failing, { keyPath });
    assert.equal(asked.length, 3);
  });

  it("refuses another key and a missing one, and changes nothing", async () => {
    const database = await databases.create();
    await alertingRows.insert(database);
    const keyPath = await start(database);
    await alertingRows.makeClear(database, "channels");
    const before = await wholeText(database);
    await assert.rejects(
      start(database, { key: randomBytes(32) }),
      refused(/SERVICE_SECRET_KEY is not the key that the address of the channel "Night shift" .* was sealed with.*Nothing was changed/),
    );
    const elsewhere = join(folder, randomUUID(), "secret.key");
    await assert.rejects(start(database, { keyPath: elsewhere }), refused(/key is missing: there is no file .*secret\.key/));
    assert.ok(!existsSync(elsewhere));
    assert.equal(await wholeText(database), before);
    await start(database, { keyPath });
  });

  it("refuses a value that was changed or moved, by the name of its channel", async () => {
    for (const change of [
      sql`UPDATE channels SET url = (SELECT url FROM channels WHERE id = 2) WHERE id = 1`,
      sql`UPDATE channels SET url = SUBSTR(url, 1, LENGTH(url) - 2) || 'AA' WHERE id = 1`,
      sql`UPDATE channels SET url = headers WHERE id = 1`,
    ]) {
      const database = await databases.create();
      await alertingRows.insert(database);
      const keyPath = await start(database);
      await database.tables<object>().write((tx) => change.execute(tx));
      await assert.rejects(
        start(database, { keyPath }),
        refused(/the address of the channel "Ops" \(channels\.url, id 1\) was changed in the database/),
      );
    }
  });

  it("seals again with a new key what the previous one opens", async () => {
    const database = await databases.create();
    await alertingRows.insert(database);
    const keyPath = await start(database);
    const previousKey = parseSecretKey(readFileSync(keyPath, "utf8").trim());
    const key = randomBytes(32);
    await start(database, { key, previousKey, keyPath });
    await start(database, { key, keyPath });
    await assert.rejects(start(database, { keyPath }), refused(/secret\.key is not the key/));
  });

  it("closes a key file that others can read, and refuses one that holds no key", async () => {
    const database = await databases.create();
    const keyPath = await start(database);
    chmodSync(keyPath, 0o644);
    await start(database, { keyPath });
    assert.equal(statSync(keyPath).mode & 0o777, 0o600);
    writeFileSync(keyPath, "s3cret");
    await assert.rejects(start(database, { keyPath }), refused(/secret\.key, cannot be used: it does not hold 32 bytes/));
  });

  it("names columns that there are", async () => {
    const { read } = (await databases.create()).tables<object>();
    for (const { table, column, where = "1 = 1" } of SECRET_COLUMNS)
      await sql`SELECT id, name, ${sql.ref(column)} FROM ${sql.table(table)} WHERE ${sql.raw(where)}`.execute(read);
  });

  if (databases.name === "sqlite") {
    it("leaves no clear text in the files of the database", async () => {
      const database = await databases.create();
      await alertingRows.insert(database, { long: true });
      const { rows } = await sql<{ file: string }>`PRAGMA database_list`.execute(database.tables<object>().read);
      const path = rows[0]?.file ?? "";
      const bytes = (): string => [path, `${path}-wal`].map((each) => readFileSync(each, "latin1")).join("");
      assert.match(bytes(), /s3cret/);
      await start(database);
      assert.doesNotMatch(bytes(), /s3cret/);
    });
  }
});
