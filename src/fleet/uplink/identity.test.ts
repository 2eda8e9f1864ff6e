import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { StartError } from "../../platform/errors.ts";
import { type Identity, identityPath, readIdentity, writeIdentity } from "./identity.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-identity-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function newIdentity(): Identity & { verifies(data: Buffer, signature: Buffer): boolean } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    agentId: "0b8b6b86-8d1c-4d55-9d3a-0a2f7a1c9e11",
    privateKey,
    server: "watch.example.com:443",
    enrolledAt: new Date("2026-03-01T12:00:00.000Z"),
    verifies: (data, signature) => verify(null, data, publicKey, signature),
  };
}

test("what is written is read again, by this user alone", (t) => {
  const folder = folderOf(t);
  assert.equal(readIdentity(folder), undefined);
  const identity = newIdentity();
  writeIdentity(folder, identity);
  assert.equal(statSync(identityPath(folder)).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ["identity.json"]);
  const read = readIdentity(folder);
  assert.equal(read?.agentId, identity.agentId);
  assert.equal(read.server, identity.server);
  assert.deepEqual(read.enrolledAt, identity.enrolledAt);
  const data = Buffer.from("who speaks");
  assert.ok(identity.verifies(data, sign(null, data, read.privateKey)));
  assert.match(readFileSync(identityPath(folder), "utf8"), /"private_key": "-----BEGIN PRIVATE KEY-----/);
});

test("what a crash left of an attempt to write it does not stand in the way", (t) => {
  const folder = folderOf(t);
  writeFileSync(`${identityPath(folder)}.new`, '{"agent_');
  assert.equal(readIdentity(folder), undefined);
  writeIdentity(folder, newIdentity());
  assert.deepEqual(readdirSync(folder), ["identity.json"]);
});

test("a file that others could read is closed to them", (t) => {
  const folder = folderOf(t);
  writeIdentity(folder, newIdentity());
  chmodSync(identityPath(folder), 0o644);
  readIdentity(folder);
  assert.equal(statSync(identityPath(folder)).mode & 0o777, 0o600);
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const DAMAGES: [string, (text: string) => string, RegExp][] = [
  ["an empty file", () => "", /it is not JSON/],
  ["half a file", (text) => text.slice(0, 100), /it is not JSON/],
  ["a list", () => "[]", /not a JSON object/],
  ["no agent_id", (text) => text.replace("agent_id", "agent"), /agent_id is not a UUID/],
  ["no UUID", (text) => text.replace("0b8b6b86", "0b8b"), /agent_id is not a UUID/],
  ["no time", (text) => text.replace("2026-03", "then"), /enrolled_at is not a time/],
  ["no server", (text) => text.replace('"server"', '"service"'), /server is missing/],
  ["a broken key", (text) => text.replace(/KEY-----\\n.{20}/, "KEY-----\\n"), /private_key is not an Ed25519 key/],
  ["another kind of key", (text) => JSON.stringify({ ...JSON.parse(text), private_key: rsa }), /private_key is not an Ed25519 key/],
  ["a huge file", (text) => text + " ".repeat(20_000), /larger than/],
];
for (const [name, damage, reason] of DAMAGES)
  test(`${name} is reported and left as it is`, (t) => {
    const folder = folderOf(t);
    writeIdentity(folder, newIdentity());
    const damaged = damage(readFileSync(identityPath(folder), "utf8"));
    writeFileSync(identityPath(folder), damaged);
    assert.throws(
      () => readIdentity(folder),
      (error) =>
        error instanceof StartError &&
        reason.test(error.message) &&
        error.message.includes("identity.json") &&
        !error.message.includes("PRIVATE KEY") &&
        !/MC4CAQ/.test(error.message),
    );
    assert.equal(readFileSync(identityPath(folder), "utf8"), damaged);
  });
