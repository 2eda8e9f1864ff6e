import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readVapid } from "../../../../test/support/push-service.ts";
import { newVapidKeys, vapidAuthorization } from "./encryption.ts";

/** Source: RFC 8292, section 2.4. */
const VECTOR = [
  "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3",
  "B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0",
  ".i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA",
  ", k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs",
].join("");
const CLAIMS = { aud: "https://push.example.net", exp: 1453523768, sub: "mailto:push@example.com" };

describe("the tokens for push services", () => {
  it("are signed as the RFC's, over the same bytes", () => {
    assert.deepEqual(readVapid(VECTOR).claims, CLAIMS);
    const keys = newVapidKeys();
    const ours = vapidAuthorization(CLAIMS, keys);
    const signed = (authorization: string): string => authorization.split(".").slice(0, 2).join(".");
    assert.equal(signed(ours), signed(VECTOR));
    assert.deepEqual(readVapid(ours), { claims: CLAIMS, key: keys.publicKey });
    assert.throws(() => readVapid(ours.replace(keys.publicKey, newVapidKeys().publicKey)), /signature/);
  });

  it("are signed with any key, one with zeros at its beginning too", () => {
    for (let count = 0; count < 600; count += 1) {
      const keys = newVapidKeys();
      if (Buffer.from(keys.privateKey, "base64url").length === 32 && count > 20) continue;
      assert.equal(readVapid(vapidAuthorization(CLAIMS, keys)).key, keys.publicKey);
    }
  });
});
