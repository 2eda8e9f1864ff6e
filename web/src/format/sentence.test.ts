import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asSentence, capitalised } from "./sentence.ts";

describe("a capital first", () => {
  it("is given to words", () => {
    assert.equal(capitalised("exited with code 1"), "Exited with code 1");
    assert.equal(capitalised("out-of-memory kill"), "Out-of-memory kill");
    assert.equal(capitalised("élevé"), "Élevé");
    assert.equal(capitalised("stopped, then removed"), "Stopped, then removed");
  });

  it("leaves names as they are", () => {
    for (const name of ["ghcr.io/acme/web:1.2 cannot be pulled", "/var/lib is full", "web_1 stopped", "10.0.0.1 refused", "db-0.shop"])
      assert.equal(capitalised(name), name);
  });

  it("is that of a sentence, which ends with a full stop", () => {
    assert.equal(asSentence(" the disk is full "), "The disk is full.");
    assert.equal(asSentence("ghcr.io/acme/web:1 not found"), "ghcr.io/acme/web:1 not found.");
    assert.equal(asSentence("why?"), "Why?");
    assert.equal(asSentence(""), "");
  });
});
