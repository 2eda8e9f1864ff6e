import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { cleanMarkdown } from "./forges.ts";
import { isEnough, readVersion, type Release, selectReleases } from "./release.ts";

const release = (tag: string, facts: Partial<Release> = {}): Release => ({
  tag,
  title: tag,
  url: null,
  publishedAt: null,
  text: "",
  prerelease: false,
  ...facts,
});

describe("versions in tags", () => {
  const cases: readonly [string, string, number[], string | null][] = [
    ["1.2.3", "", [1, 2, 3], null],
    ["v1.2.3", "", [1, 2, 3], null],
    ["1.25.3-alpine3.18", "", [1, 25, 3], null],
    ["v2.0.0-rc.1", "", [2, 0, 0], "rc.1"],
    ["3.0b2", "", [3, 0], "b2"],
    ["name-1.2", "name-", [1, 2], null],
    ["server/v1.2.3", "server/", [1, 2, 3], null],
    ["@scope/pkg@4.5.6", "@scope/pkg@", [4, 5, 6], null],
    ["10.8.13-ls12", "", [10, 8, 13], null],
    ["2024.10.1", "", [2024, 10, 1], null],
  ];
  for (const [tag, prefix, numbers, prerelease] of cases)
    it(tag, () => assert.deepEqual(readVersion(tag), { prefix, numbers, prerelease }));
  it("not in others", () => assert.deepEqual([readVersion("latest"), readVersion("1".repeat(300))], [undefined, undefined]));
});

describe("releases between two tags", () => {
  const plain = ["v2.0.0", "v2.0.0-rc.1", "v1.3.0", "v1.2.9", "v1.2.3", "v1.2.2", "nightly"];
  const mono = ["server-v2.1.0", "client-v2.1.0", "server-v2.0.0", "client-v1.9.0", "server-v1.0.0"];
  const cases: readonly [string, readonly string[], string | null, string, string[]][] = [
    ["after the current, up to the available", plain, "1.2.3", "1.3.0", ["v1.3.0", "v1.2.9"]],
    ["variants of the image", plain, "1.2.3-alpine", "1.3.0-alpine", ["v1.3.0", "v1.2.9"]],
    ["no prereleases", plain, "1.3.0", "2.0.0", ["v2.0.0"]],
    ["prereleases when asked", plain, "1.3.0", "2.0.0-rc.1", ["v2.0.0-rc.1"]],
    ["from a prerelease", plain, "2.0.0-rc.1", "2.0.0", ["v2.0.0"]],
    ["floating tags stand for all of theirs", plain, "1.2", "1.3", ["v1.3.0"]],
    ["nothing is known of the current one", plain, "latest", "1.3.0", ["v1.3.0"]],
    ["one product of several", mono, "1.0.0", "2.1.0", ["server-v2.1.0", "server-v2.0.0"]],
    ["none of several products", ["a-1.0", "b-1.0"], "7.0", "8.0", []],
    ["names instead of versions, by their dates", ["zeta", "eta", "beta"], "beta", "zeta", ["zeta", "eta"]],
    ["the order of publication does not matter", ["v1.2.9", "v1.4.0", "v1.3.0"], "1.2.9", "1.4.0", ["v1.4.0", "v1.3.0"]],
  ];
  for (const [name, tags, currentTag, availableTag, expected] of cases)
    it(name, () => {
      const all = tags.map((tag, index) => release(tag, { publishedAt: new Date(Date.UTC(2026, 0, 28 - index)).toISOString() }));
      assert.deepEqual(
        selectReleases(all, { currentTag, availableTag }).releases.map(({ tag }) => tag),
        expected,
      );
    });

  it("says which tags both ends have, and what is missing", () => {
    const both = selectReleases(
      plain.map((tag) => release(tag)),
      { currentTag: "1.2.3", availableTag: "1.3.0" },
    );
    assert.deepEqual([both.ends, both.isComplete], [{ from: "v1.2.3", to: "v1.3.0" }, true]);
    const lacking = selectReleases(
      plain.map((tag) => release(tag)),
      { currentTag: "1.2.3", availableTag: "1.2.10" },
    );
    assert.deepEqual([lacking.ends, lacking.isComplete, lacking.releases.length], [undefined, false, 1]);
  });

  it("knows when older pages cannot matter", () => {
    const wanted = { currentTag: "1.2.3", availableTag: "1.3.0" };
    assert.equal(isEnough([release("v1.3.0"), release("v1.2.3")], wanted), false);
    assert.equal(isEnough([release("v1.2.3"), release("v1.2.2")], wanted), true);
    assert.equal(isEnough([], wanted), false);
  });

  it("never lists what is not newer, or newer than what is available", () => {
    const number = fc.nat({ max: 3 });
    const version = fc.tuple(number, number, number).map((numbers) => numbers.join("."));
    fc.assert(
      fc.property(fc.array(version, { maxLength: 20 }), version, version, (tags, currentTag, availableTag) => {
        const found = selectReleases(
          tags.map((tag) => release(tag)),
          { currentTag, availableTag },
        ).releases;
        return found.every(({ tag }) => tag > currentTag && tag <= availableTag);
      }),
    );
  });
});

describe("Markdown from outside", () => {
  it("loses what cannot be seen, and keeps its shape", () => {
    assert.equal(cleanMarkdown("a\r\n  - b\u202e\u200b\u0000\t\n\n\n\n<!-- hidden\n -->c\u001b[31m ", 100), "a\n  - b\n\nc");
    assert.equal([...cleanMarkdown("😀".repeat(50), 10)].length, 10);
  });
});
