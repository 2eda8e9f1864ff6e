import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_UPDATE_SETTINGS } from "../../observations.ts";
import { type Available, heirOf, type KnownImage, runsContent, settingsKey } from "./known-image.ts";
import { isAlerting, standingOf } from "./standing.ts";

const settings = DEFAULT_UPDATE_SETTINGS;
const key = settingsKey(settings);
const plan = { mode: "semver" as const, candidatesFilter: "all", skippedReason: null };
const available = (tag: string, digest: string): Available => ({
  tag,
  digest,
  described: true,
  publishedAt: null,
  sourceUrl: null,
  seenAt: 1,
});
const running = { imageDigest: "old", imageId: "id" };
const nobody = { pin: undefined, exclusion: undefined };
const known = (facts: Partial<KnownImage> = {}): KnownImage => ({
  reference: { registry: "docker.io", repository: "library/web", tag: "1.0", digest: null },
  remote: available("1.0", "old"),
  contents: {},
  choices: { [key]: { plan, newer: null } },
  scanId: null,
  checkedAt: 1,
  error: null,
  note: null,
  ...facts,
});

describe("whether a container runs what a digest stands for", () => {
  const list = { platformDigest: "platform", configDigest: "config" };
  const cases: [
    running: { imageDigest: string | null; imageId: string | null },
    contents: KnownImage["contents"],
    same: boolean | undefined,
  ][] = [
    [{ imageDigest: "new", imageId: "id" }, {}, true],
    [{ imageDigest: "old", imageId: "id" }, {}, undefined],
    [{ imageDigest: "platform", imageId: "id" }, { new: list }, true],
    [{ imageDigest: "old", imageId: "config" }, { new: list }, true],
    [{ imageDigest: "old", imageId: "id" }, { new: list }, undefined],
    [{ imageDigest: "old", imageId: "id" }, { new: list, old: null }, false],
    [{ imageDigest: "old", imageId: "old" }, { new: list, old: null }, undefined],
    [{ imageDigest: "old", imageId: "id" }, { new: list, old: { platformDigest: "platform", configDigest: "x" } }, true],
    [{ imageDigest: "old", imageId: "id" }, { new: list, old: { platformDigest: "x", configDigest: "config" } }, true],
    [{ imageDigest: "old", imageId: "id" }, { new: list, old: { platformDigest: "x", configDigest: "y" } }, false],
    [{ imageDigest: null, imageId: "id" }, { new: list }, undefined],
    [{ imageDigest: null, imageId: null }, { new: { platformDigest: "x", configDigest: "y" } }, undefined],
    [{ imageDigest: "old", imageId: "id" }, { new: null, old: list }, undefined],
  ];
  for (const [given, contents, same] of cases)
    it(`${JSON.stringify(given)} with ${JSON.stringify(contents)}: ${same}`, () => assert.equal(runsContent(given, "new", contents), same));
});

describe("how a container stands", () => {
  const stands = (facts: Partial<Parameters<typeof standingOf>[0]>) =>
    standingOf({ running, settings, known: known(), decisions: nobody, ...facts });
  const newer = { tag: "2.0", type: "major" as const, available: available("2.0", "two") };
  const other = known({ remote: available("1.0", "new"), contents: { new: { platformDigest: "p", configDigest: "c" }, old: null } });

  it("is up to date, behind by a tag, or behind by content", () => {
    assert.equal(stands({}).status, "up_to_date");
    assert.deepEqual([stands({ known: other }).status, stands({ known: other }).type], ["available", "digest"]);
    const both = { ...other, choices: { [key]: { plan, newer } } };
    assert.deepEqual([stands({ known: both }).type, stands({ known: both }).available?.tag], ["major", "2.0"]);
  });

  it("is unknown with a reason where nothing is known", () => {
    assert.match(stands({ known: undefined }).reason ?? "", /Not checked yet/);
    assert.match(stands({ settings: { ...settings, track: "patch" } }).reason ?? "", /update labels changed/);
    assert.match(stands({ running: { imageDigest: "x", imageId: "id" } }).reason ?? "", /image changed since/);
    assert.match(stands({ running: { imageDigest: "x", imageId: "x" } }).reason ?? "", /built or loaded/);
    assert.deepEqual(
      [stands({ known: known({ error: "Gone." }) }).status, stands({ known: known({ error: "Gone." }) }).checkError],
      ["unknown", "Gone."],
    );
  });

  it("keeps what was available while its registry does not answer", () => {
    const { status, checkError } = stands({ known: { ...other, error: "Too slow." } });
    assert.deepEqual([status, checkError], ["available", "Too slow."]);
  });

  it("says with what is available that there may be a newer one", () => {
    const note = "Only 60000 tags were read.";
    const cut = known({ choices: { [key]: { plan, newer } }, note });
    assert.deepEqual([stands({ known: cut }).status, stands({ known: cut }).reason], ["available", note]);
    assert.equal(stands({ known: { ...other, note } }).reason, note);
  });

  it("heeds people and labels, people first", () => {
    const pinned = stands({ known: other, decisions: { pin: { reason: "why" }, exclusion: undefined } });
    assert.deepEqual([pinned.status, pinned.reason, pinned.type], ["pinned", "why", "digest"]);
    assert.deepEqual(
      stands({ decisions: { pin: { reason: null }, exclusion: undefined }, settings: { ...settings, pin: "1" } }).reason,
      null,
    );
    assert.equal(stands({ decisions: { pin: { reason: "why" }, exclusion: "web*" } }).status, "excluded");
    assert.equal(stands({ settings: { ...settings, enabled: false } }).status, "excluded");
    const skipped = { [key]: { plan: { ...plan, skippedReason: "By digest." }, newer: null } };
    assert.equal(stands({ known: known({ choices: skipped }) }).status, "unknown");
    const reference = { registry: "r", repository: "x", tag: null, digest: "sha256:1" };
    assert.equal(stands({ known: known({ choices: skipped, reference }) }).status, "pinned");
  });

  it("alerts for what labels choose", () => {
    const standing = stands({ known: other });
    const alerts = (alertOn: "all" | "critical" | "none", fixesCritical: boolean) =>
      isAlerting(standing, { ...settings, alertOn }, fixesCritical);
    assert.deepEqual(
      [alerts("all", false), alerts("critical", false), alerts("critical", true), alerts("none", true)],
      [true, false, true, false],
    );
    assert.equal(isAlerting(stands({}), settings, true), false);
  });

  it("knows the image that it is to take", () => {
    const before = known({ choices: { [key]: { plan, newer } } });
    const after = heirOf(before, "2.0", settings);
    assert.equal(
      standingOf({ running: { imageDigest: "two", imageId: "x" }, settings, known: after, decisions: nobody }).status,
      "up_to_date",
    );
    assert.equal(heirOf(before, "1.9", settings), undefined);
    assert.equal(heirOf(before, "2.0", { ...settings, track: "minor" }), undefined);
  });
});
