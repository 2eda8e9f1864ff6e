import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readChallenge } from "./authorization.ts";
import { plainHttpOf } from "./reference.ts";
import { imageConfig, choosePlatform } from "./images.ts";
import { restAsked } from "./lanes.ts";
import { createMemory } from "./memory.ts";
import type { IndexEntry } from "./schemas.ts";
import { nextPage } from "./tags.ts";

describe("a challenge", () => {
  const bearer = { scheme: "bearer", realm: "https://auth.docker.io/token", service: "registry.docker.io", scope: "repository:a/b:pull" };
  const cases: [header: string | undefined, challenge: unknown][] = [
    ['Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull"', bearer],
    ['bearer REALM = "https://auth.docker.io/token" , service=registry.docker.io, scope="repository:a/b:pull"', bearer],
    ['Basic realm="x", Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull"', bearer],
    ['Bearer realm="a\\"b"', { scheme: "bearer", realm: 'a"b', service: null, scope: null }],
    ['Basic realm="Registry Realm"', { scheme: "basic" }],
    ["Negotiate, Basic", { scheme: "basic" }],
    ["Bearer", undefined],
    ["Digest realm=x", undefined],
    ["", undefined],
    [undefined, undefined],
    [`Bearer realm="${"x".repeat(5000)}"`, undefined],
    [`Bearer realm="${'\\"'.repeat(2000)}`, undefined],
  ];
  for (const [header, challenge] of cases)
    it(`is read from ${header?.slice(0, 60)}`, () => assert.deepEqual(readChallenge(header), challenge));
});

describe("the next page", () => {
  const base = "https://r.lan/v2/a/b/";
  it("is at the same registry and repository", () => {
    assert.equal(nextPage('</v2/a/b/tags/list?last=x&n=2>; rel="next"', base, "a/b"), "tags/list?last=x&n=2");
    assert.equal(nextPage("<list?last=y>; rel=next", base, "a/b"), "tags/list?last=y");
    assert.equal(nextPage('<https://r.lan/v2/a/b/tags/list?last=x>; foo=1; rel="next"', base, "a/b"), "tags/list?last=x");
    assert.equal(nextPage('</x>; rel="prev"', base, "a/b"), undefined);
    assert.equal(nextPage(undefined, base, "a/b"), undefined);
  });
  for (const target of [
    "https://evil.example/v2/a/b/tags/list",
    "//evil.example/v2/a/b/tags/list",
    "http://r.lan/v2/a/b/tags/list",
    "/v2/a/c/tags/list",
    "/v2/a/b/../../x",
    "https://r.lan@evil.example/v2/a/b/tags/list",
    "https://",
  ])
    it(`is refused at ${target}`, () => assert.throws(() => nextPage(`<${target}>; rel="next"`, base, "a/b"), { reason: "refused" }));
});

describe("a rest", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const cases: [status: number, headers: Record<string, string>, restMs: number | null][] = [
    [200, {}, null],
    [200, { "ratelimit-remaining": "5;w=21600" }, null],
    [200, { "ratelimit-remaining": "0;w=21600" }, 60_000],
    [200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now.getTime() / 1000 + 30) }, 30_000],
    [200, { "ratelimit-remaining": "0", "ratelimit-reset": "12" }, 12_000],
    [200, { "ratelimit-remaining": "05" }, null],
    [429, {}, 60_000],
    [429, { "retry-after": "3" }, 3000],
    [429, { "retry-after": "86400" }, 900_000],
    [429, { "retry-after": "Sun, 01 Mar 2026 12:00:20 GMT" }, 20_000],
    [429, { "retry-after": "soon" }, 60_000],
  ];
  for (const [status, headers, restMs] of cases)
    it(`is ${restMs} ms after ${status} ${JSON.stringify(headers)}`, () => assert.equal(restAsked(status, headers, now), restMs));
});

describe("a platform in a list", () => {
  const entry = (os: string, architecture: string, variant?: string, annotations?: Record<string, string>): IndexEntry => ({
    digest: `sha256:${architecture}${variant ?? ""}`,
    platform: { os, architecture, variant },
    annotations,
  });
  const list = [
    entry("unknown", "unknown", undefined, { "vnd.docker.reference.type": "attestation-manifest" }),
    entry("linux", "amd64", undefined, { "vnd.docker.reference.type": "attestation-manifest" }),
    entry("windows", "amd64"),
    entry("linux", "amd64"),
    entry("linux", "arm", "v5"),
    entry("linux", "arm", "v6"),
    entry("linux", "arm64", "v8"),
    entry("linux", "riscv64"),
  ];
  const of = (os: string, architecture: string, variant: string | null = null): string | undefined => {
    const chosen = choosePlatform(list, { os, architecture, variant });
    return chosen === "several" ? chosen : chosen && `${chosen.platform?.os} ${chosen.digest}`;
  };
  const cases: [platform: [string, string, (string | null)?], chosen: string | undefined][] = [
    [["linux", "amd64"], "linux sha256:amd64"],
    [["linux", "x86_64"], "linux sha256:amd64"],
    [["linux", "amd64", "v3"], "linux sha256:amd64"],
    [["linux", "arm64"], "linux sha256:arm64v8"],
    [["linux", "aarch64", "v8"], "linux sha256:arm64v8"],
    [["linux", "arm"], "linux sha256:armv6"],
    [["linux", "arm", "v7"], "linux sha256:armv6"],
    [["linux", "arm", "7"], "linux sha256:armv6"],
    [["linux", "arm", "v5"], "linux sha256:armv5"],
    [["linux", "riscv64"], "linux sha256:riscv64"],
    [["windows", "amd64"], "windows sha256:amd64"],
    [["linux", "s390x"], undefined],
    [["linux", "386"], undefined],
    [["unknown", "unknown"], undefined],
  ];
  for (const [platform, chosen] of cases) it(`is ${chosen} for ${platform.join("/")}`, () => assert.equal(of(...platform), chosen));

  it("is the only one when nobody says which", () => {
    assert.equal(choosePlatform(list, null), "several");
    assert.equal(choosePlatform(list.slice(0, 3), null), list[2]);
    assert.equal(choosePlatform([], null), undefined);
    const bare: IndexEntry = { digest: "sha256:x" };
    assert.equal(choosePlatform([bare], { os: "linux", architecture: "amd64", variant: null }), bare);
    assert.equal(choosePlatform([bare, bare], { os: "linux", architecture: "amd64", variant: null }), undefined);
  });
});

describe("a configuration", () => {
  it("says nothing of a time before there were images", () => {
    const at = (created: string | null): string | undefined => imageConfig({ created }).createdAt?.toISOString();
    assert.equal(at("2024-05-06T07:08:09.123456789Z"), "2024-05-06T07:08:09.123Z");
    for (const none of ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "yesterday", "2024", "", null]) assert.equal(at(none), undefined);
  });
});

describe("plain http", () => {
  it("is for the hosts that the list says", () => {
    const plain = plainHttpOf([
      { host: "registry.lan", port: 5000, plain: true },
      { host: "127.0.0.1", port: undefined, plain: true },
      { host: "secure.lan", port: undefined, plain: false },
      { host: "::1", port: 5000, plain: true },
    ]);
    const cases = {
      "registry.lan:5000": true,
      "REGISTRY.lan:5000": true,
      "registry.lan": false,
      "127.0.0.1:1": true,
      "127.0.0.1": true,
      "secure.lan": false,
      "[::1]:5000": true,
      "docker.io": false,
    };
    for (const [registry, isPlain] of Object.entries(cases)) assert.equal(plain(registry), isPlain, registry);
  });
});

describe("memory", () => {
  it("forgets what was not asked for the longest time, and never holds more than its bound", () => {
    const memory = createMemory<number>(1000);
    memory.set("a", 1, 100);
    memory.set("b", 2, 100);
    memory.set("c", 3, 100);
    memory.get("a");
    memory.set("d", 4, 100);
    assert.deepEqual(
      ["a", "b", "c", "d"].map((key) => memory.get(key)),
      [1, undefined, 3, 4],
    );
    memory.set("e", 5, 5000);
    assert.equal(memory.get("e"), undefined);
    memory.set("a", 6, 100);
    assert.equal(memory.get("a"), 6);
    assert.equal(memory.get("d"), 4);
  });
});
