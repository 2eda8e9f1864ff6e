import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pageOf, readSource } from "./source.ts";

describe("where the source of an image is", () => {
  const read: readonly [string, string, string | undefined][] = [
    ["https://github.com/owner/name", "https://github.com/owner/name", "github"],
    ["http://www.github.com/owner/name.git", "https://github.com/owner/name", "github"],
    ["https://github.com/owner/name/tree/main/docker", "https://github.com/owner/name", "github"],
    ["git+https://github.com/owner/name.git", "https://github.com/owner/name", "github"],
    ["git://github.com/owner/name", "https://github.com/owner/name", "github"],
    ["git@github.com:owner/name.git", "https://github.com/owner/name", "github"],
    ["ssh://git@gitlab.com/group/part/name.git", "https://gitlab.com/group/part/name", "gitlab"],
    ["github.com/owner/name", "https://github.com/owner/name", "github"],
    ["https://gitlab.com/group/sub/name/-/tree/main", "https://gitlab.com/group/sub/name", "gitlab"],
    ["https://gitlab.example.org/group/name", "https://gitlab.example.org/group/name", "gitlab"],
    ["https://codeberg.org/owner/name/src/branch/main", "https://codeberg.org/owner/name", "gitea"],
    ["http://git.lan:3000/owner/name", "http://git.lan:3000/owner/name", undefined],
  ];
  for (const [label, url, forge] of read)
    it(`reads ${label}`, () => assert.deepEqual([readSource(label)?.url, readSource(label)?.forge], [url, forge]));

  const refused: readonly (string | null)[] = [
    null,
    "",
    "nonsense",
    "javascript:alert(1)",
    "javascript://github.com/owner/name",
    "file:///etc/passwd",
    "data:text/html,x/y",
    "ftp://github.com/owner/name",
    "https://user:secret@github.com/owner/name",
    "https://github.com@evil.test/owner/name".replace("github.com@", "a@"),
    "https://github.com/owner",
    "https://github.com/owner/..%2f..%2fuser",
    "https://github.com/owner/na?me".replace("?", "%3f"),
    "https://github.com/own er/name",
    "https://github.com/owner/name\u202e",
    "https://git.lan:0/owner/name",
    `https://github.com/${"a".repeat(10_000)}/name`,
  ];
  for (const label of refused) it(`refuses ${String(label).slice(0, 60)}`, () => assert.equal(readSource(label), undefined));

  it("says where releases are read", () => {
    const github = { forge: "github" as const, url: "https://github.com/o/r" };
    assert.equal(pageOf(github), "https://github.com/o/r/releases");
    assert.equal(pageOf(github, { from: "v1", to: "a/v2" }), "https://github.com/o/r/compare/v1...a%2Fv2");
    assert.equal(pageOf({ forge: "gitlab", url: "https://gitlab.com/g/r" }), "https://gitlab.com/g/r/-/releases");
  });
});
