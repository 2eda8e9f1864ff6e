import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { fc } from "../../test/support/seed.ts";
import {
  agentIdBytes,
  challengeBytes,
  type Challenge,
  publicKeyBytes,
  publicKeyOf,
  refusalOf,
  signChallenge,
  verifyChallenge,
} from "./handshake.ts";

const { vectors } = z
  .object({
    vectors: z
      .array(
        z.object({
          name: z.string(),
          private_seed: z.string(),
          public_key: z.string(),
          nonce: z.string(),
          agent_id: z.string(),
          timestamp_seconds: z.string(),
          signed_bytes: z.string(),
          signature: z.string(),
        }),
      )
      .min(1),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "handshake-vectors.json"), "utf8")));

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const privateKeyOf = (seed: string): KeyObject =>
  createPrivateKey({ key: hex(`302e020100300506032b657004220420${seed}`), format: "der", type: "pkcs8" });
const challengeOf = (vector: (typeof vectors)[number]): Challenge => ({
  nonce: hex(vector.nonce),
  agentId: vector.agent_id,
  timestampSeconds: BigInt(vector.timestamp_seconds),
});

test("the vectors are what we sign and accept", () => {
  for (const vector of vectors) {
    const challenge = challengeOf(vector);
    const key = privateKeyOf(vector.private_seed);
    assert.equal(challengeBytes(challenge).toString("hex"), vector.signed_bytes, vector.name);
    assert.equal(publicKeyBytes(key).toString("hex"), vector.public_key, vector.name);
    assert.equal(signChallenge(challenge, key).toString("hex"), vector.signature, vector.name);
    assert.ok(verifyChallenge(challenge, hex(vector.signature), publicKeyOf(hex(vector.public_key))), vector.name);
  }
});

test("openssl, given only nonce, id and time, comes to the same", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "handshake-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const openssl = (...args: string[]): string => execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  for (const { name, private_seed, public_key, nonce, agent_id, timestamp_seconds, signature } of vectors) {
    // The bytes are built from the specification, not by the code under test.
    const seconds = BigInt.asUintN(64, BigInt(timestamp_seconds)).toString(16).padStart(16, "0");
    writeFileSync(join(folder, "signed"), hex(`${nonce}${agent_id.replaceAll("-", "")}${seconds}`));
    writeFileSync(join(folder, "key.der"), hex(`302e020100300506032b657004220420${private_seed}`));
    writeFileSync(join(folder, "signature"), hex(signature));
    openssl("pkey", "-inform", "DER", "-in", "key.der", "-pubout", "-outform", "DER", "-out", "public.der");
    assert.equal(readFileSync(join(folder, "public.der")).subarray(-32).toString("hex"), public_key, name);
    const verify = [
      "pkeyutl",
      "-verify",
      "-rawin",
      "-pubin",
      "-keyform",
      "DER",
      "-inkey",
      "public.der",
      "-in",
      "signed",
      "-sigfile",
      "signature",
    ];
    assert.match(openssl(...verify), /Verified Successfully/, name);
    openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", "key.der", "-in", "signed", "-out", "theirs");
    assert.equal(readFileSync(join(folder, "theirs")).toString("hex"), signature, name);
    writeFileSync(join(folder, "signed"), hex(`${nonce}${agent_id.replaceAll("-", "")}${"0".repeat(15)}7`));
    assert.throws(() => openssl(...verify), name);
  }
});

test("whatever is changed, the signature fits no more", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const seconds = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
  fc.assert(
    fc.property(
      fc.record({ nonce: bytes(32), agentId: fc.uuid(), timestampSeconds: seconds }),
      fc.nat(55),
      fc.nat(7),
      (challenge, at, bit) => {
        const signature = signChallenge(challenge, privateKey);
        assert.ok(verifyChallenge(challenge, signature, publicKey));
        const changed = challengeBytes(challenge);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const id = changed.subarray(32, 48).toString("hex");
        const other = {
          nonce: changed.subarray(0, 32),
          agentId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
          timestampSeconds: changed.readBigInt64BE(48),
        };
        assert.ok(!verifyChallenge(other, signature, publicKey));
      },
    ),
    { numRuns: 50 },
  );
});

test("what is no challenge is not signed, and what is no signature or key is refused without a crash", () => {
  const nonce = Buffer.alloc(32);
  const agentId = "6f1a2b3c-4d5e-4f60-8a9b-0c1d2e3f4a5b";
  assert.throws(() => challengeBytes({ nonce: nonce.subarray(1), agentId, timestampSeconds: 0n }), /31/);
  assert.throws(() => challengeBytes({ nonce, agentId: "6f1a2b3c", timestampSeconds: 0n }), /UUID/);
  assert.throws(() => challengeBytes({ nonce, agentId, timestampSeconds: 2n ** 63n }), RangeError);
  assert.equal(agentIdBytes(`${agentId}\n`), undefined);
  assert.equal(agentIdBytes(agentId.toUpperCase())?.toString("hex"), agentId.replaceAll("-", ""));
  assert.throws(() => publicKeyOf(Buffer.alloc(31)), /32 bytes/);
  const { publicKey } = generateKeyPairSync("ed25519");
  for (const length of [0, 1, 63, 64, 65, 1000])
    assert.equal(verifyChallenge({ nonce, agentId, timestampSeconds: 0n }, Buffer.alloc(length, 1), publicKey), false);
  assert.deepEqual(publicKeyBytes(publicKeyOf(publicKeyBytes(publicKey))), publicKeyBytes(publicKey));
});

test("only who has the key learns more than that the answer was wrong", () => {
  const now = new Date("2026-03-01T12:00:00.900Z");
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = publicKeyBytes(publicKey);
  const active = { status: "active", publicKey: key } as const;
  const revoked = { status: "revoked", publicKey: key } as const;
  const challenge = { nonce: Buffer.alloc(32, 7), agentId: "6f1a2b3c-4d5e-4f60-8a9b-0c1d2e3f4a5b", timestampSeconds: seconds };
  const signature = signChallenge(challenge, privateKey);
  const wrong = Buffer.alloc(64, 1);
  const off = (by: bigint) => {
    const skewed = { ...challenge, timestampSeconds: seconds + by };
    return [skewed, signChallenge(skewed, privateKey)] as const;
  };

  assert.equal(refusalOf(challenge, signature, active, now), undefined);
  assert.equal(refusalOf(...off(300n), active, now), undefined);
  assert.equal(refusalOf(...off(-300n), active, now), undefined);
  assert.equal(refusalOf(...off(301n), active, now), "clock_skew");
  assert.equal(refusalOf(...off(-301n), active, now), "clock_skew");
  assert.equal(refusalOf(...off(2n ** 63n - 1n - seconds), active, now), "clock_skew");
  assert.equal(refusalOf(challenge, wrong, active, now), "bad_signature");
  assert.equal(refusalOf(...off(301n), revoked, now), "agent_revoked");
  assert.equal(refusalOf(challenge, signature, revoked, now), "agent_revoked");
  assert.equal(refusalOf(challenge, wrong, revoked, now), "bad_signature");
  assert.equal(refusalOf({ ...challenge, timestampSeconds: 0n }, wrong, active, now), "bad_signature");
  assert.equal(refusalOf(challenge, signature, undefined, now), "agent_unknown");
  assert.equal(refusalOf(challenge, wrong, undefined, now), "agent_unknown");
});
