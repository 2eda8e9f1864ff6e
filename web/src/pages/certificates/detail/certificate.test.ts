import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDraft } from "../draft.ts";
import { chainLinks, commonName } from "./chain-links.ts";
import { readWatching, watchingOf } from "./watching.ts";

const DATES = { not_before: "2026-01-01T00:00:00.000Z", expires_at: "2027-01-01T00:00:00.000Z" };
const LEAF = { position: 0, subject: "CN=shop", issuer: "O=X, CN=R3", error: null, ...DATES };
const INTERMEDIATE = { position: 1, subject: "O=X, CN=R3", issuer: "CN=Root", error: null, ...DATES };
const ROOT = { position: 2, subject: "CN=Root", issuer: "CN=Root", error: null, ...DATES };

describe("a certificate's chain", () => {
  const drawn = (chain: Parameters<typeof chainLinks>[0]["chain"]) =>
    chainLinks({ chain }).map(({ role, isLinkBroken }) => [role, isLinkBroken]);

  it("leads from the host to the root", () => {
    assert.deepEqual(drawn([ROOT, LEAF, INTERMEDIATE]), [
      ["Host", false],
      ["Intermediate", false],
      ["Root", false],
    ]);
  });

  it("is broken where the issuer is missing or another one", () => {
    const stranger = { ...INTERMEDIATE, error: 'It was issued by "Root", which is neither sent nor trusted here.' };
    assert.deepEqual(drawn([LEAF, stranger]), [
      ["Host", false],
      ["Intermediate", true],
      ["Missing or untrusted", false],
    ]);
    assert.deepEqual(drawn([LEAF, ROOT]), [
      ["Host", true],
      ["Root", false],
    ]);
    const forged = { ...LEAF, error: "The signature of the certificate was not made with the key of its issuer." };
    assert.deepEqual(drawn([forged, INTERMEDIATE, ROOT])[0], ["Host", true]);
  });

  it("is not broken by what has expired", () => {
    assert.deepEqual(drawn([{ ...LEAF, error: "It expired." }, INTERMEDIATE, ROOT])[0], ["Host", false]);
    assert.deepEqual(drawn([{ ...ROOT, position: 0 }]), [["Leaf, self-signed", false]]);
  });

  it("shows the common name", () => {
    assert.equal(commonName("O=Let's Encrypt, CN=R11"), "R11");
    assert.equal(commonName("O=Nobody"), "O=Nobody");
  });
});

describe("what is typed of a certificate", () => {
  it("is taken apart where it is a whole address", () => {
    const read = (domain: string) => readDraft({ domain, port: "443", serverName: "" });
    assert.deepEqual(read("https://shop.example.com:8443/path"), { body: { domain: "shop.example.com", port: 8443 } });
    assert.deepEqual(read("mail.example.com:993"), { body: { domain: "mail.example.com", port: 993 } });
    assert.deepEqual(read("::1"), { body: { domain: "::1", port: 443 } });
    assert.ok("faults" in read(""));
    assert.ok("faults" in read("two words"));
  });

  it("shows wrong days and hours at their fields", () => {
    assert.deepEqual(readWatching({ days: "7, 30 7", hours: "0,5" }), {
      body: { alert_thresholds_days: [30, 7], check_interval_seconds: 1800 },
    });
    const asSet = watchingOf({ alert_thresholds_days: [30, 7], check_interval_seconds: 60 });
    assert.deepEqual(readWatching({ ...asSet, days: "14" }, asSet), { body: { alert_thresholds_days: [14] } });
    const read = readWatching({ days: "0, x", hours: "200" });
    assert.ok("faults" in read);
    assert.deepEqual(Object.keys(read.faults), ["alert_thresholds_days", "check_interval_seconds"]);
  });
});
