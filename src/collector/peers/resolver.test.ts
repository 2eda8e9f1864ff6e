import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createResolver, type Lookup } from "./resolver.ts";

const signal = new AbortController().signal;

/** A resolver of the system that answers when the test says so. */
function setUp() {
  const clock = createFakeClock();
  const asked: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<{ address: string; family: number }[]>>();
  const lookup: Lookup = (host) => {
    asked.push(host);
    const answer = Promise.withResolvers<{ address: string; family: number }[]>();
    answers.set(host, answer);
    return answer.promise;
  };
  const known = new Map<string, string>();
  const query: Lookup = async (host) => {
    const address = known.get(host);
    if (address === undefined) throw Object.assign(new Error("ETIMEOUT"), { code: "ETIMEOUT" });
    return [{ address, family: 4 }];
  };
  const resolver = createResolver({ clock, lookup, query });
  return {
    clock,
    /** What the name servers answer at once. */
    known,
    resolver,
    asked,
    async answer(host: string, ...addresses: string[]) {
      await clock.advance(0);
      answers.get(host)?.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
      await clock.advance(0);
    },
    async fail(host: string, code: string) {
      await clock.advance(0);
      answers.get(host)?.reject(Object.assign(new Error(code), { code }));
      await clock.advance(0);
    },
  };
}

describe("the resolver", () => {
  it("takes addresses as they are", async () => {
    const { resolver, asked } = setUp();
    assert.deepEqual(await resolver.resolve("::1", signal), ["::1"]);
    assert.deepEqual(await resolver.resolve("10.0.0.1", signal), ["10.0.0.1"]);
    assert.deepEqual(asked, []);
  });

  it("gives families by turns, the preferred one first", async () => {
    const { resolver, answer } = setUp();
    const found = resolver.resolve("a", signal);
    await answer("a", "::1", "::2", "::3", "10.0.0.1");
    assert.deepEqual(await found, ["::1", "10.0.0.1", "::2", "::3"]);
  });

  it("takes few of 20,000 answers", async () => {
    const { resolver, answer } = setUp();
    const found = resolver.resolve("a", signal);
    await answer(
      "a",
      ...Array.from({ length: 20_000 }, (_, index) => (index < 10_000 ? `10.0.${index >> 8}.${index & 255}` : `::${index.toString(16)}`)),
    );
    assert.deepEqual((await found).length, 8);
    assert.deepEqual((await found).slice(0, 2), ["10.0.0.0", "::2710"]);
  });

  it("asks once for all who ask at the same time, and again later", async () => {
    const { clock, resolver, asked, answer } = setUp();
    const both = Promise.all([resolver.resolve("a", signal), resolver.resolve("a", signal)]);
    await answer("a", "10.0.0.1");
    assert.deepEqual(await both, [["10.0.0.1"], ["10.0.0.1"]]);
    void resolver.resolve("a", signal);
    await clock.advance(0);
    assert.deepEqual(asked, ["a", "a"]);
  });

  it("keeps one of its two places for names that were not slow", async () => {
    const { clock, resolver, asked, answer, fail } = setUp();
    for (const name of ["dead1", "dead2"]) resolver.resolve(name, signal).catch(() => undefined);
    await clock.advance(5000);
    await fail("dead1", "EAI_AGAIN");
    await fail("dead2", "EAI_AGAIN");
    asked.length = 0;
    for (const name of ["dead1", "dead2", "well1", "well2"]) resolver.resolve(name, signal).catch(() => undefined);
    await clock.advance(0);
    assert.deepEqual(asked, ["dead1", "well1"]);
    await answer("well1", "10.0.0.1");
    assert.deepEqual(asked, ["dead1", "well1", "well2"]);
    await answer("dead1", "10.0.0.1");
    assert.deepEqual(asked, ["dead1", "well1", "well2", "dead2"]);
  });

  it("does not let a name that was slow once wait behind dead ones", async () => {
    const { clock, resolver, asked, fail, known } = setUp();
    const names = [...Array.from({ length: 8 }, (_, number) => `dead${number}`), "well"];
    for (const name of names) resolver.resolve(name, signal).catch(() => undefined);
    for (const name of names) {
      await clock.advance(2000);
      await fail(name, "EAI_AGAIN");
    }
    asked.length = 0;
    known.set("well", "10.0.0.9");
    const failures = names.slice(0, 8).map((name) => assert.rejects(resolver.resolve(name, signal)));
    const well = resolver.resolve("well", signal);
    assert.deepEqual(await Promise.race([well, clock.advance(1000).then(() => "late")]), ["10.0.0.9"]);
    assert.deepEqual(asked, ["dead0"]);
    for (const name of names.slice(0, 8)) await fail(name, "EAI_AGAIN");
    await Promise.all(failures);
    assert.deepEqual(asked, names.slice(0, 8));
  });

  it("describes in sentences what the resolver answered", async () => {
    const { resolver, fail, answer } = setUp();
    const rows: [string, string, string, boolean][] = [
      ["a", "ENOTFOUND", "The name a was not found.", false],
      ["b", "EAI_AGAIN", "The resolver gave no answer for b.", false],
      ["c", "ESERVFAIL", "The resolver gave no answer for c (ESERVFAIL).", false],
      ["d", "EMFILE", "d was not looked up: too many files are open.", true],
    ];
    for (const [name, code, message, isOurs] of rows) {
      const found = resolver.resolve(name, signal);
      const rejected = assert.rejects(found, { failureClass: "dns", message, isOurs });
      await fail(name, code);
      await rejected;
    }
    const none = assert.rejects(resolver.resolve("e", signal), { message: "The name e was not found." });
    await answer("e");
    await none;
  });

  it("waits no longer than it may", async () => {
    const { resolver } = setUp();
    const ending = new AbortController();
    const found = resolver.resolve("a", ending.signal);
    ending.abort(new Error("no longer"));
    await assert.rejects(found, /no longer/);
    await assert.rejects(resolver.resolve("a", ending.signal), /no longer/);
  });
});
