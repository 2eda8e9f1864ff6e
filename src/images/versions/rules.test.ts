import assert from "node:assert/strict";
import { describe, test } from "node:test";
import semver from "semver";
import { fc } from "../../../test/support/seed.ts";
import { DEFAULT_UPDATE_SETTINGS, type UpdateSettings } from "../../observations.ts";
import { createTagRules } from "./index.ts";
import { compareTags, isComparable } from "./order.ts";
import { createPatternReader } from "./patterns.ts";
import type { TagChoice } from "./rules.ts";
import { chooseTags } from "./rules.ts";
import { readTag } from "./tag.ts";

const rules = createTagRules();
/** The newest, without pauses. */
const choose = (current: string, tags: readonly string[], given: UpdateSettings): TagChoice | undefined => {
  const choosing = chooseTags(current, tags, given, { most: 1, readPatterns: createPatternReader() });
  for (let step = choosing.next(); ; step = choosing.next()) if (step.done === true) return step.value[0];
};
const settings = (changes: Partial<UpdateSettings> = {}): UpdateSettings => ({ ...DEFAULT_UPDATE_SETTINGS, ...changes });
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

/** As their registries list them, shortened. */
const LISTS = {
  postgres:
    words(`latest alpine bookworm 17 17-alpine 17rc1 17rc1-alpine 17beta3 17.2 17.2-alpine 17.2-alpine3.20 17.2-alpine3.21 17.2-bookworm 16 16-alpine
    16.4 16.4-alpine 16.4-alpine3.20 16.6 16.6-alpine 16.6-alpine3.20 16.6-alpine3.21 16.6-bookworm 16.6-bullseye 9.6.24 9.6 9.6.24-alpine3.15 10 10.23`),
  nginx:
    words(`latest mainline stable stable-alpine stable-alpine3.19 1 1-alpine 1.27 1.27.3 1.27.4 1.28.0 1.28 1.27.3-alpine 1.27.3-alpine3.20 1.27.4-alpine
    1.27.4-alpine3.20 1.27.4-alpine3.21 1.28.0-alpine3.21 1.28.0-alpine3.21-slim 1.28.0-alpine-perl 1.28.0-bookworm-otel 1.27-bookworm 1.28-bookworm`),
  node: words(`latest lts lts-alpine3.20 current iron iron-alpine 18 18-alpine 20 20-alpine 20.11.0 20.11.0-alpine3.19 20.18.1-alpine3.20 20.18.1-alpine3.21
    22 22-alpine 22.12.0-alpine3.21 23-alpine 23.4.0 20.18.1-bookworm-slim 22.12.0-bookworm-slim 21-nightly chakracore-10.13.0`),
  traefik:
    words(`latest v2.10 v2.10.7 v2.11 v2.11.14 v3.0.0-beta5 v3.0.0-rc1 v3.0.0-rc5 v3.0 v3.0.0 v3.2.1 v3.3.0-rc1 2.9.9 3 v3 v3.2.1-windowsservercore-ltsc2022
    livarot camembert v3.2-nanoserver-ltsc2022 1.7.34-alpine`),
  minio:
    words(`latest edge RELEASE.2024-01-02T03-04-05Z RELEASE.2024-11-07T00-52-20Z RELEASE.2024-11-07T00-52-20Z-cpuv1 RELEASE.2024-12-18T13-15-44Z
    RELEASE.2024-12-18T13-15-44Z.fips RELEASE.2024-12-18T13-15-44Z.hotfix.12ab34cd5`),
  gitea:
    words(`latest latest-rootless 1 1-rootless 1.21 1.21.3 1.21.3-rootless 1.21.11 1.21.11-rootless 1.22.0-rc0 1.22.0-rc1 1.22.0-rc1-rootless 1.22.0 1.22-dev
    1.22-nightly 1.22-nightly-rootless 1.22.6 1.22.6-rootless 1.23-dev`),
  ubuntu: words(
    `latest rolling devel noble jammy 14.04 14.04.5 20.04 22.04 24.04 24.10 25.04 jammy-20240111 jammy-20240808 noble-20240801 noble-20241118.1 focal-20241011`,
  ),
  homeAssistant: words(
    `latest stable beta dev 0.118.5 0.117.6 2024.1.5 2024.1.6 2024.2.0b3 2024.2.0b4 2024.2.0 2024.3.0.dev20240201 2024.12.5 2025.1.0b2 2025.1.2 2024.1 2025.1`,
  ),
  linuxserver:
    words(`latest develop nightly version-5.1.0.9 version-5.2.1.0 version-v4.0.0.748 4.0.0.748-ls120 4.0.0.748-ls123 4.0.9.2244-ls233 amd64-4.0.9.2244-ls233
    arm64v8-4.0.0.748-ls123 arm64v8-4.0.9.2244-ls233 arm32v7-4.0.0.748-ls9 nightly-4.0.10.2624-ls12 4.0.10.2624-develop`),
  temurin:
    words(`latest 8-jre 11-jre 17-jre 21-jre 8u392-b08-jre 8u402-b06-jre 17.0.9_9-jre 17.0.9_9-jdk 17.0.10_7-jre 17.0.4.1_1-jre 17.0.13_11-jre 17.0.13_11-jre-alpine
    21.0.5_11-jre 21_35-jre 22_36-jre 17.0.13_11-jre-windowsservercore-1809`),
  grafana: words(
    `latest main 10.2.3 10.2.3-ubuntu 10.4.14 10.4.14-ubuntu 11.0.0-preview 11.3.1 11.3.1-ubuntu 11.4.0 11.4.0-ubuntu 11.4.0-security-01 9.5.21 5.0.0-beta1 dev-musl`,
  ),
  redis: words(
    `latest alpine 7 7-alpine 7.2 7.2-alpine 7.2-rc3 7.2-rc3-alpine 7.2.4 7.2.4-alpine3.19 7.2.6 7.2.6-alpine3.20 7.4.1 7.4.1-alpine 7.4.1-alpine3.20 8.0-M02 8.0-M02-alpine 32bit-stretch`,
  ),
  mariadb: words(
    `latest lts lts-jammy lts-noble 10.11 10.11.6 10.11.6-jammy 10.11.10-jammy 10.11.10 10.11.10-ubi9 11.2.2-jammy 11.4 11.4-rc 11.4.4 11.4.4-noble 11.6.2 5.5 5.5.64 11.7-rc 11.7.1-rc`,
  ),
  bitnami: words(
    `latest 16.4.0 16.4.0-debian-12-r3 16.4.0-debian-12-r11 16.4.0-debian-13-r1 16.6.0-debian-12-r2 16.6.0-debian-12-r10 17.2.0-debian-12-r1 17.2.0-debian-12`,
  ),
  wordpress: words(`latest php8.2 php8.3 php8.2-apache 6 6.4.2-php8.2-apache 6.5.0-php8.3-apache 6.4.3-php8.2-apache 6.4-php8.2`),
  builds: words(`latest r123 r124 r131 r20240101 3f2a1c9 9f2a1c9 sha-3f2a1c9 20240101 20240301 202403011200 1234567 7654321 main-5 main-6`),
  timescale: words(`latest-pg15 2.13.0-pg15 2.14.2-pg15 2.14.2-pg16 2.15.0-pg16`),
} as const;

const CASES: [list: keyof typeof LISTS, current: string, expected: string | undefined, changes?: Partial<UpdateSettings>][] = [
  ["postgres", "16.4-alpine", "major 17.2-alpine"],
  ["postgres", "16.4-alpine", "minor 16.6-alpine", { track: "minor" }],
  ["postgres", "16.4-alpine3.20", "minor 16.6-alpine3.20", { ignoreMajor: true }],
  ["postgres", "17.2-alpine3.20", undefined],
  ["postgres", "16", "major 17"],
  ["postgres", "16-alpine", "major 17-alpine"],
  ["postgres", "17rc1", "patch 17", {}],
  ["postgres", "17beta3", "patch 17"],
  ["postgres", "10.23", "major 17.2"],
  ["postgres", "9.6.24", undefined],
  ["postgres", "16.6-bullseye", undefined],
  ["nginx", "1.27.3", "minor 1.28.0"],
  ["nginx", "1.27.3", "patch 1.27.4", { track: "patch" }],
  ["nginx", "1.27.3", undefined, { track: "digest" }],
  ["nginx", "1.27.3-alpine3.20", "patch 1.27.4-alpine3.20", { track: "patch" }],
  ["nginx", "1.27.3-alpine3.20", "minor 1.28.0-alpine3.21"],
  ["nginx", "1.27-bookworm", "minor 1.28-bookworm"],
  ["nginx", "1.27", "minor 1.28"],
  ["nginx", "1.27.3", "patch 1.27.4", { tagInclude: "^1\\.27\\." }],
  ["nginx", "1.27.3", "patch 1.27.4", { tagExclude: "^1\\.28" }],
  ["nginx", "1.27.3", undefined, { tagInclude: "(?=1)" }],
  ["nginx", "1.27.3", undefined, { pin: "1.27.3" }],
  ["nginx", "1.27.3", undefined, { digestOnly: true }],
  ["nginx", "1.27.3", undefined, { enabled: false }],
  ["nginx", "stable-alpine3.19", undefined],
  ["node", "20-alpine", "major 23-alpine"],
  ["node", "20.11.0-alpine3.19", "major 22.12.0-alpine3.21"],
  ["node", "20.11.0-alpine3.19", "minor 20.18.1-alpine3.21", { ignoreMajor: true }],
  ["node", "20.18.1-bookworm-slim", "major 22.12.0-bookworm-slim"],
  ["traefik", "v2.10.7", "major v3.2.1"],
  ["traefik", "v2.10.7", "minor v2.11.14", { track: "minor" }],
  ["traefik", "v3.0.0-beta5", "minor v3.2.1"],
  ["traefik", "v3.0.0-rc1", "patch v3.0.0", { track: "patch" }],
  ["traefik", "v3.0.0-rc1", "patch v3.0.0-rc5", { tagInclude: "rc" }],
  ["traefik", "v3.2.1", undefined],
  ["traefik", "2.9.9", undefined],
  ["minio", "RELEASE.2024-01-02T03-04-05Z", "minor RELEASE.2024-12-18T13-15-44Z"],
  ["minio", "RELEASE.2024-12-18T13-15-44Z", undefined],
  ["gitea", "1.21.3-rootless", "minor 1.22.6-rootless"],
  ["gitea", "1.21.3", "patch 1.21.11", { track: "patch" }],
  ["gitea", "1.22.0-rc0", "patch 1.22.0-rc1", { tagInclude: "rc" }],
  ["gitea", "1.22-dev", "minor 1.23-dev"],
  ["gitea", "1-rootless", undefined],
  ["ubuntu", "22.04", "major 25.04"],
  ["ubuntu", "24.04", "minor 24.10", { ignoreMajor: true }],
  ["ubuntu", "24.10", "major 25.04"],
  ["ubuntu", "jammy-20240111", "minor jammy-20240808"],
  ["ubuntu", "jammy", undefined],
  ["homeAssistant", "2024.1.5", "major 2025.1.2"],
  ["homeAssistant", "2024.1.5", "patch 2024.1.6", { track: "patch" }],
  ["homeAssistant", "2024.2.0b3", "patch 2024.2.0", { track: "patch" }],
  ["homeAssistant", "2024.1", "major 2025.1"],
  ["homeAssistant", "0.118.5", undefined],
  ["linuxserver", "4.0.0.748-ls120", "patch 4.0.9.2244-ls233"],
  ["linuxserver", "arm64v8-4.0.0.748-ls123", "patch arm64v8-4.0.9.2244-ls233"],
  ["linuxserver", "arm32v7-4.0.0.748-ls9", undefined],
  ["linuxserver", "version-5.1.0.9", "minor version-5.2.1.0"],
  ["linuxserver", "version-v4.0.0.748", undefined],
  ["temurin", "17.0.9_9-jre", "major 21.0.5_11-jre"],
  ["temurin", "17.0.9_9-jre", "patch 17.0.13_11-jre", { ignoreMajor: true }],
  ["temurin", "8u392-b08-jre", "patch 8u402-b06-jre"],
  ["temurin", "11-jre", "major 21-jre"],
  ["temurin", "21_35-jre", "major 22_36-jre"],
  ["grafana", "10.2.3-ubuntu", "major 11.4.0-ubuntu"],
  ["grafana", "10.2.3", "minor 10.4.14", { track: "minor" }],
  ["grafana", "11.4.0", undefined],
  ["redis", "7.2.4-alpine3.19", "minor 7.4.1-alpine3.20"],
  ["redis", "7.2-alpine", undefined],
  ["redis", "7.4.1", undefined],
  ["mariadb", "10.11.6-jammy", "major 11.2.2-jammy"],
  ["mariadb", "5.5.64", "major 11.6.2"],
  ["mariadb", "lts", undefined],
  ["mariadb", "10.11.6", "patch 10.11.10", { track: "minor" }],
  ["bitnami", "16.4.0-debian-12-r3", "patch 16.4.0-debian-12-r11", { track: "patch" }],
  ["bitnami", "16.4.0-debian-12-r3", "minor 16.6.0-debian-12-r10", { track: "minor" }],
  ["bitnami", "16.4.0-debian-12-r11", undefined, { track: "patch" }],
  ["wordpress", "6.4.2-php8.2-apache", "patch 6.4.3-php8.2-apache"],
  ["wordpress", "php8.2-apache", undefined],
  ["builds", "r123", "major r131"],
  ["builds", "3f2a1c9", undefined],
  ["builds", "sha-3f2a1c9", undefined],
  ["builds", "1234567", undefined],
  ["builds", "20240101", "minor 20240301"],
  ["builds", "main-5", "major main-6"],
  ["timescale", "2.13.0-pg15", "minor 2.14.2-pg15"],
];

describe("the newest tag", () => {
  for (const [list, current, expected, changes = {}] of CASES) {
    test(`${list} ${current} ${JSON.stringify(changes)} -> ${expected}`, () => {
      const choice = choose(current, LISTS[list], settings(changes));
      assert.equal(choice && `${choice.type} ${choice.tag}`, expected);
    });
  }

  const FALSE_UPDATES: [current: string, other: string][] = [
    ["1.27.3", "20240101"],
    ["1.27.3", "20.04.1"],
    ["1.27.3", "2024.1.1"],
    ["1.27.3", "1.20240101.0"],
    ["16", "20240101"],
    ["16", "2024"],
    ["16", "3000"],
    ["16", "12345678901234567890"],
    ["12.1.0", "20.04.1"],
    ["22.04", "24.4"],
    ["1.27.3", "1.27.4-rc1"],
    ["1.27.3", "1.28.0-rc.1"],
    ["1.27.3", "v1.28.0"],
    ["v1.27.3", "1.28.0"],
    ["1.27", "1.28.1"],
    ["1.2.3", "1.2.3.1"],
    ["1.2.3-arm32v6", "1.2.4-arm32v7"],
    ["1.2.3-cuda11.8", "1.2.4-cuda12.1"],
    ["1.2.3-5", "1.2.3-20240101"],
    ["1.2.3-alpine3.19", "1.2.3-alpine3.20"],
    ["1.2.3-3f2a1c9", "1.2.4-9f2a1c9"],
    ["20240101", "202401021530"],
  ];
  for (const [current, other] of FALSE_UPDATES) {
    test(`${other} is no update of ${current}`, () => assert.equal(choose(current, [other], settings()), undefined));
  }

  test("of two spellings of one version the same is offered, in whatever order they come", () => {
    const spellings = ["1.2.0-rc2", "1.2.0-rc.2", "1.2.0rc2"];
    const choices = [spellings, spellings.toReversed()].map((tags) => choose("1.2.0-rc1", tags, settings())?.tag);
    assert.equal(choices[0], choices[1]);
  });

  test("hostile names of tags are no tags, and long numbers none that count", () => {
    const hostile = [
      "<b>9.9.9</b>",
      "1.28.0\u0000",
      `1.${"9".repeat(100)}.0`,
      "9".repeat(128),
      `2.0.0${"-a".repeat(80)}`,
      "1.28.0\n",
      "../1.28.0",
      "",
      "1.28.0 ",
    ];
    assert.equal(choose("1.27.3", hostile, settings()), undefined);
  });

  test("fifty thousand tags are read, with expressions that would never come to an end elsewhere", { timeout: 60_000 }, () => {
    const tags = Array.from({ length: 50_000 }, (_, index) => `1.${index % 300}.${index}-alpine3.${index % 20}`);
    const long = "a".repeat(100);
    assert.equal(choose("1.27.3-alpine3.19", tags, settings())?.tag, "1.299.49799-alpine3.19");
    const regular = settings({ tagInclude: "(a+)+$x", tagExclude: "^(([0-9.]+)+a*)+!" });
    assert.equal(choose("1.27.3-alpine3.19", tags, regular), undefined);
    assert.equal(choose(`1.27.3-${long}`, [`1.28.0-${long}`], regular), undefined);
  });
});

describe("properties of the choice", () => {
  const everything = Object.values(LISTS).flat();
  const part = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(2023, 2024, 20240101)).map(String);
  const tag = fc.oneof(
    fc.constantFrom(...everything),
    fc
      .tuple(
        fc.constantFrom("", "v", "amd64-"),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "-rc1", "-rc2", "b1"),
        fc.constantFrom("", "-alpine", "-alpine3.19", "-alpine3.20", "-ls1", "-ls2", "-bookworm"),
      )
      .map(([prefix, parts, stage, suffix]) => `${prefix}${parts.join(".")}${stage}${suffix}`),
  );
  const allSettings = fc.record({
    track: fc.constantFrom<UpdateSettings["track"]>(null, "major", "minor", "patch"),
    ignoreMajor: fc.boolean(),
    tagExclude: fc.constantFrom(null, "rc", "[02468]$"),
  });

  test("it is newer, of the same family, one of the tags, within the steps allowed", () => {
    fc.assert(
      fc.property(tag, fc.array(tag, { maxLength: 40 }), allSettings, (current, tags, changes) => {
        const choice = choose(current, tags, settings(changes));
        if (choice === undefined) return;
        const [from, to] = [readTag(current), readTag(choice.tag)];
        assert.ok(from !== undefined && to !== undefined && tags.includes(choice.tag));
        assert.ok(isComparable(from, to) && compareTags(to, from) > 0 && from.family === to.family);
        assert.ok(from.prerelease !== null || to.prerelease === null);
        if (changes.ignoreMajor) assert.notEqual(choice.type, "major");
        if (changes.track === "patch") assert.equal(choice.type, "patch");
      }),
    );
  });

  test("the order of the tags and older ones among them change nothing", () => {
    fc.assert(
      fc.property(tag, fc.array(tag, { maxLength: 30 }), fc.infiniteStream(fc.nat()), allSettings, (current, tags, random, changes) => {
        const choice = choose(current, tags, settings(changes));
        const shuffled = tags.map((text) => ({ text, at: random.next().value ?? 0 })).toSorted((one, other) => one.at - other.at);
        assert.deepEqual(
          choose(
            current,
            shuffled.map(({ text }) => text),
            settings(changes),
          ),
          choice,
        );
        const from = readTag(current);
        const older = everything.filter((text) => {
          const read = readTag(text);
          return from !== undefined && read !== undefined && isComparable(from, read) && compareTags(read, from) < 0;
        });
        assert.deepEqual(choose(current, [...older, ...tags], settings(changes)), choice);
      }),
    );
  });

  test("versions as semver writes them are in semver's order", () => {
    const version = fc
      .tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.constantFrom("", "-alpha.1", "-alpha.2", "-beta.1", "-beta.11", "-rc.1", "-rc.2"))
      .map(([major, minor, patch, stage]) => `${major}.${minor}.${patch}${stage}`);
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [first, second] = [readTag(one), readTag(other)];
        assert.ok(first !== undefined && second !== undefined);
        // A month such as 04 cannot be written so in semver.
        assert.equal(Math.sign(compareTags(first, second)), semver.compare(one, other));
      }),
    );
  });

  test("whatever a tag is called, reading it does not fail", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 140 }),
        fc.array(fc.string({ unit: fc.constantFrom(..."0123456789.-_vrbalpinec") })),
        (current, tags) => {
          choose(current, tags, settings());
          for (const text of tags) choose(text, tags, settings());
        },
      ),
    );
  });
});

describe("the plan", () => {
  const reference = { registry: "docker.io", repository: "library/nginx", tag: "1.27.3-alpine", digest: null };
  const digest = `sha256:${"a".repeat(64)}`;
  const PLANS: [
    what: string,
    given: { tag: string | null; digest?: string },
    changes: Partial<UpdateSettings>,
    mode: string,
    sentence: RegExp,
  ][] = [
    ["a version", { tag: "1.27.3-alpine" }, {}, "semver", /^tags like 1\.27\.3-alpine, newer, no prereleases, any step$/],
    ["a smaller track", { tag: "1.27.3" }, { track: "minor" }, "semver", /no prereleases, minor and patch steps$/],
    ["the smallest track", { tag: "1.27.3" }, { track: "patch", ignoreMajor: true }, "semver", /, patch steps$/],
    [
      "expressions",
      { tag: "1.27.3" },
      { tagInclude: "^1", tagExclude: "x" },
      "semver",
      /any step, matching service\.update\.tag-include, not matching service\.update\.tag-exclude$/,
    ],
    ["a prerelease", { tag: "3.0.0-rc1" }, {}, "semver", /prereleases only of the same version/],
    ["a major alone", { tag: "16" }, {}, "semver", /^tags like 16, newer/],
    ["a tag and a digest", { tag: "16", digest }, {}, "semver", /^tags like 16, newer/],
    ["no tag", { tag: null }, {}, "digest", /^only its own tag latest/],
    ["a word", { tag: "bookworm-slim" }, {}, "digest", /it names no version$/],
    ["digests only", { tag: "1.27" }, { digestOnly: true }, "digest", /service\.update\.digest_only/],
    ["the track of digests", { tag: "1.27" }, { track: "digest" }, "digest", /service\.update\.track/],
    ["a pin", { tag: "1.27" }, { pin: "1.27" }, "digest", /service\.update\.pin holds it there$/],
    ["another pin", { tag: "1.27" }, { pin: "1.26" }, "digest", /only its own tag 1\.27, .* at 1\.26$/],
    ["a wrong expression where it does not matter", { tag: "latest" }, { tagInclude: "(", digestOnly: true }, "digest", /digest_only/],
  ];
  for (const [what, given, changes, mode, sentence] of PLANS) {
    test(what, () => {
      const plan = rules.plan({ ...reference, ...given }, settings(changes));
      assert.deepEqual({ mode: plan.mode, skippedReason: plan.skippedReason }, { mode, skippedReason: null });
      assert.match(plan.candidatesFilter, sentence);
    });
  }

  const SKIPPED: [what: string, given: { tag: string | null; digest?: string }, changes: Partial<UpdateSettings>, sentence: RegExp][] = [
    ["switched off", { tag: "1.27" }, { enabled: false }, /^The label service\.update\.enabled says not to ask\.$/],
    ["a digest without a tag", { tag: null, digest }, {}, /pinned by its digest/],
    ["look-around", { tag: "1.27" }, { tagInclude: "(?=x)" }, /^The label service\.update\.tag-include is not .* RE2: \(\?=x\)$/],
    ["a wrong expression", { tag: "1.27" }, { tagExclude: `(${"x".repeat(99)}` }, /tag-exclude is not .*: \(x+…$/],
    ["an expression too long", { tag: "1.27" }, { tagExclude: "x".repeat(501) }, /tag-exclude is longer than 500 characters/],
    ["a repetition too large", { tag: "1.27" }, { tagExclude: "((x{1000}){1000}){1000}" }, /tag-exclude/],
  ];
  for (const [what, given, changes, sentence] of SKIPPED) {
    test(`skipped: ${what}`, () => {
      assert.match(rules.plan({ ...reference, ...given }, settings(changes)).skippedReason ?? "", sentence);
    });
  }
});
