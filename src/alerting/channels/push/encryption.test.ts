import assert from "node:assert/strict";
import { createECDH, randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { decryptPush } from "../../../../test/support/push-service.ts";
import { encryptPush, isPublicKey, LONGEST_PLAINTEXT } from "./encryption.ts";

const bytes = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ""), "base64url");

/** Source: RFC 8291, section 5 and appendix A. */
const VECTOR = {
  plaintext: "When I grow up, I want to be a watermelon",
  authSecret: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  browserPrivate: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
  browserPublic: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
  senderPrivate: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  body: bytes(`DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml
    mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT
    pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN`),
};

describe("the encryption of push messages", () => {
  it("makes of the RFC's keys the RFC's message", () => {
    const sender = createECDH("prime256v1");
    sender.setPrivateKey(VECTOR.senderPrivate);
    const keys = { publicKey: VECTOR.browserPublic, authSecret: VECTOR.authSecret };
    const body = encryptPush(Buffer.from(VECTOR.plaintext), keys, { sender, salt: VECTOR.salt });
    assert.equal(body.toString("base64url"), VECTOR.body.toString("base64url"));
    const read = decryptPush(VECTOR.body, { browser: VECTOR.browserPrivate, authSecret: VECTOR.authSecret });
    assert.equal(read.toString(), VECTOR.plaintext);
  });

  it("uses other keys each time, and takes messages up to the limit of push services", () => {
    const browser = createECDH("prime256v1");
    browser.generateKeys();
    const keys = { publicKey: browser.getPublicKey(), authSecret: randomBytes(16) };
    const longest = randomBytes(LONGEST_PLAINTEXT);
    const [one, other] = [encryptPush(longest, keys), encryptPush(longest, keys)];
    assert.notDeepEqual(one.subarray(0, 86), other.subarray(0, 86));
    assert.equal(one.length, 4096);
    for (const body of [one, other])
      assert.deepEqual(decryptPush(body, { browser: browser.getPrivateKey(), authSecret: keys.authSecret }), longest);
    assert.throws(() => encryptPush(randomBytes(LONGEST_PLAINTEXT + 1), keys), RangeError);
  });

  it("distinguishes a point on the curve from other bytes", () => {
    assert.equal(isPublicKey(VECTOR.browserPublic), true);
    assert.equal(isPublicKey(Buffer.alloc(65, 4)), false);
    assert.equal(isPublicKey(VECTOR.browserPublic.subarray(1)), false);
  });
});
