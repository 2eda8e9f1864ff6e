import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { StartError } from "../platform/errors.ts";
import { completeDatabaseUrl, redactDatabaseUrl } from "./database-url.ts";

const completed: [string, string][] = [
  ["postgres://u:p@db.example/x", "postgres://u:p@db.example/x?sslmode=require"],
  ["postgresql://u:p@10.0.0.5:6432/x?application_name=b", "postgresql://u:p@10.0.0.5:6432/x?application_name=b&sslmode=require"],
  ["postgres://db.example/x?sslmode=disable", "postgres://db.example/x?sslmode=disable"],
  ["postgres://db.example/x?sslmode=verify-full", "postgres://db.example/x?sslmode=verify-full"],
  ["postgres://db.example/x?sslmode=", "postgres://db.example/x?sslmode=&sslmode=require"],
  ["postgres://localhost/x", "postgres://localhost/x"],
  ["postgres://LocalHost:5433/x", "postgres://LocalHost:5433/x"],
  ["postgres://127.0.0.1/x", "postgres://127.0.0.1/x"],
  ["postgres://127.8.9.1/x", "postgres://127.8.9.1/x"],
  ["postgres://[::1]/x", "postgres://[::1]/x"],
  ["postgres://[2001:db8::1]/x", "postgres://[2001:db8::1]/x?sslmode=require"],
  ["postgres://127.0.0.1.example.com/x", "postgres://127.0.0.1.example.com/x?sslmode=require"],
  ["postgres://localhost.example.com/x", "postgres://localhost.example.com/x?sslmode=require"],
  ["postgres:///x?host=/var/run/postgresql", "postgres:///x?host=/var/run/postgresql"],
  ["postgres://%2Fvar%2Frun%2Fpostgresql/x", "postgres://%2Fvar%2Frun%2Fpostgresql/x"],
  ["postgres://u:p@/x?host=/run/pg", "postgres://u:p@/x?host=/run/pg"],
  // The parameter is where a client connects to, whatever the authority says.
  ["postgres://localhost/x?host=db.example", "postgres://localhost/x?host=db.example&sslmode=require"],
  ["postgres://db.example/x?host=127.0.0.1", "postgres://db.example/x?host=127.0.0.1"],
  // Without any host it is this machine, so that PGHOST cannot lead elsewhere without TLS.
  ["postgres:///x", "postgres:///x?host=localhost"],
  ["postgres://u:p@/x", "postgres://u:p@/x?host=localhost"],
];
for (const [given, expected] of completed) {
  test(`${given} is used as ${expected}`, () => assert.equal(completeDatabaseUrl(given), expected));
}

for (const given of [
  "",
  "db.example/x",
  "mysql://u:hunter2@h/x",
  "postgres://u:hun#ter2@h/x",
  "postgres://h:99999/x",
  "postgres://u:hunter2@%zz/x",
]) {
  test(`${JSON.stringify(given)} is refused and not repeated`, () => {
    assert.throws(
      () => completeDatabaseUrl(given),
      (error) => error instanceof StartError && !error.message.includes("hun"),
    );
  });
}

const redacted: [string, string][] = [
  ["postgres://u:hunter2@db.example:6432/x?sslmode=require", "postgres://u:***@db.example:6432/x?sslmode=require"],
  ["postgres://db.example/x", "postgres://db.example/x"],
  ["postgres://u@db.example/x?password=hunter2&host=/run/pg", "postgres://u@db.example/x?***&host=/run/pg"],
  ["postgres://u:hunter2@/x", "postgres://u:***@/x"],
  ["postgres://u:12/hunter2@db.example/x", "***"],
  ["postgres://db.example/x?password=a&hunter2", "postgres://db.example/x?***&***"],
  ["hunter2", "***"],
];
for (const [given, expected] of redacted) {
  test(`${given} is shown as ${expected}`, () => assert.equal(redactDatabaseUrl(given), expected));
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{2,10}$/);
const password = fc.stringMatching(/^[A-Z0-9!$%&*+.:;~_-]{8,20}$/);
const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
);

test("a password is never shown, whatever it is made of", () => {
  fc.assert(
    fc.property(word, password, host, word, (user, secret, where, database) => {
      for (const written of [secret, encodeURIComponent(secret)]) {
        for (const url of [`postgres://${user}:${written}@${where}/${database}`, `postgres://${where}/${database}?password=${written}`]) {
          const shown = redactDatabaseUrl(url);
          assert.ok(!shown.includes(secret) && !shown.includes(written), shown);
        }
      }
    }),
  );
});

test("what was given stays in front, an explicit sslmode wins, and completing twice changes nothing more", () => {
  const mode = fc.constantFrom("disable", "prefer", "verify-full");
  fc.assert(
    fc.property(word, host, word, mode, (user, where, database, sslmode) => {
      const plain = `postgres://${user}@${where}/${database}`;
      const explicit = `${plain}?sslmode=${sslmode}`;
      assert.equal(completeDatabaseUrl(explicit), explicit);
      const once = completeDatabaseUrl(plain);
      assert.ok(once.startsWith(plain));
      assert.equal(completeDatabaseUrl(once), once);
    }),
  );
});
