import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StartError } from "../../platform/errors.ts";
import { parseEngineAddress } from "./address.ts";

describe("engine address", () => {
  const cases: [string, boolean, string][] = [
    ["unix:///var/run/docker.sock", false, "unix:///var/run/docker.sock"],
    ["tcp://10.0.0.1", false, "tcp://10.0.0.1:2375"],
    ["tcp://10.0.0.1", true, "https://10.0.0.1:2376"],
    ["tcp://docker.lan:1234", true, "https://docker.lan:1234"],
    ["http://proxy:2375/", false, "tcp://proxy:2375"],
    ["https://docker.lan", false, "https://docker.lan:443"],
    ["tcp://[::1]:2375", false, "tcp://[::1]:2375"],
    ["tcp://user:secret@host:2375", false, "tcp://host:2375"],
  ];
  for (const [text, tlsVerify, display] of cases) {
    it(`reads ${text}${tlsVerify ? " with verification" : ""}`, () =>
      assert.equal(parseEngineAddress(text, { tlsVerify }).display, display));
  }

  it("takes the brackets off an IPv6 host, which only URLs need", () => {
    const address = parseEngineAddress("tcp://[::1]:2375", { tlsVerify: false });
    assert.ok(address.kind === "tcp" && address.host === "::1");
  });

  for (const text of [
    "",
    "docker",
    "unix://relative.sock",
    "ssh://host",
    "ftp://host",
    "tcp://",
    "tcp://host:2375/v1.41",
    "tcp://host:99999",
  ]) {
    it(`refuses "${text}"`, () => assert.throws(() => parseEngineAddress(text, { tlsVerify: false }), StartError));
  }

  it("never repeats credentials", () => {
    assert.throws(
      () => parseEngineAddress("tcp://user:secret@host/x", { tlsVerify: false }),
      (error: Error) => !error.message.includes("secret"),
    );
  });
});
