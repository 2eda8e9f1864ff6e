import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { isTag, mirrored, readReference } from "./reference.ts";

const DIGEST = `sha256:${"ab".repeat(32)}`;

describe("reading an image's name", () => {
  const cases: [image: string, registry: string, repository: string, tag: string | null, digest: string | null][] = [
    ["nginx", "docker.io", "library/nginx", null, null],
    ["nginx:1.25-alpine", "docker.io", "library/nginx", "1.25-alpine", null],
    ["grafana/grafana:10", "docker.io", "grafana/grafana", "10", null],
    ["docker.io/nginx", "docker.io", "library/nginx", null, null],
    ["index.docker.io/team/app:1", "docker.io", "team/app", "1", null],
    ["localhost/app", "localhost", "app", null, null],
    ["localhost:5000/app:2", "localhost:5000", "app", "2", null],
    ["registry.lan:5000/a/b/c:v1", "registry.lan:5000", "a/b/c", "v1", null],
    ["registry:5000/app", "registry:5000", "app", null, null],
    ["registry/app", "docker.io", "registry/app", null, null],
    ["GHCR.io/team/app", "ghcr.io", "team/app", null, null],
    ["Host/app", "host", "app", null, null],
    ["127.0.0.1:5000/app", "127.0.0.1:5000", "app", null, null],
    ["[::1]:5000/app:1", "[::1]:5000", "app", "1", null],
    [`nginx@${DIGEST}`, "docker.io", "library/nginx", null, DIGEST],
    [`ghcr.io/a/b:1.2@${DIGEST}`, "ghcr.io", "a/b", "1.2", DIGEST],
    ["a__b/c-d.e_f", "docker.io", "a__b/c-d.e_f", null, null],
    ["a/b---c:_x", "docker.io", "a/b---c", "_x", null],
  ];
  for (const [image, registry, repository, tag, digest] of cases)
    it(`takes ${image} apart`, () => assert.deepEqual(readReference(image), { registry, repository, tag, digest }));

  const faults: [image: string, why: RegExp][] = [
    ["", /has no repository/],
    ["Nginx", /has capitals in the repository "Nginx", which must be in lower case/],
    ["ghcr.io/Team/app", /has capitals in the repository "Team\/app"/],
    ["a..b", /parts are not lower-case/],
    ["a/b/", /parts are not/],
    ["-a", /parts are not/],
    ["a___b", /parts are not/],
    ["nginx:", /has a tag with other characters/],
    [`nginx:${"a".repeat(129)}`, /too long a one/],
    ["nginx:<b>x", /has a tag with other characters/],
    ["nginx:-x", /has a tag/],
    ["nginx@sha256:12", /neither sha256 nor sha512/],
    ["nginx@md5:0123", /neither sha256 nor sha512/],
    [DIGEST, /is the id of an image/],
    ["ab".repeat(32), /is the id of an image/],
    ["host:99999/app", /HOST or HOST:PORT/],
    ["host:0/app", /HOST or HOST:PORT/],
    ["a.b@c/d:1", /neither sha256/],
    ["ho st.x/app", /HOST or HOST:PORT/],
    ["[zz::1]:5/app", /HOST or HOST:PORT/],
    [`x/${"a".repeat(255)}`, /more than 255 characters/],
    ["a".repeat(1025), /longer than 1024/],
    ["https://ghcr.io/a/b", /HOST or HOST:PORT/],
    ["../../etc/passwd", /HOST or HOST:PORT/],
  ];
  for (const [image, why] of faults)
    it(`refuses ${JSON.stringify(image.slice(0, 40))}`, () => {
      const read = readReference(image);
      assert.ok("error" in read);
      assert.match(read.error, why);
      assert.ok(read.error.length < 400);
    });

  const characters = fc.string({ unit: fc.constantFrom(..."abzAZ09.:/@_%?#-\\ \u200b"), maxLength: 12 });
  const host = fc.oneof(
    fc.constantFrom(
      "ghcr.io",
      "Reg.lan:5000",
      "localhost",
      "[::1]:80",
      "127.0.0.1:443",
      "[:.1]:80",
      "a.b:0",
      "u:p@h.c",
      "a?b.c",
      "a#b.c",
      "a%2fb.c",
    ),
    characters.map((text) => `${text}.c`),
  );
  const part = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("a", "b-c", "d__e", "0.1") },
    fc.constantFrom("..", ".", "A", "%2e%2e"),
    characters,
  );
  const tag = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("1", "v1.2_x-Y") }, fc.constantFrom("..", "a/b", "a?b", "a#b"), characters);
  const digest = fc.oneof({ weight: 4, arbitrary: fc.constant(DIGEST) }, fc.constantFrom("sha256:..", `${DIGEST}/..`), characters);
  const optional = (before: string, text: fc.Arbitrary<string>) =>
    fc.option(text, { freq: 1 }).map((given) => (given === null ? "" : before + given));
  const image = fc
    .tuple(fc.option(host), fc.array(part, { minLength: 1, maxLength: 4 }), optional(":", tag), optional("@", digest))
    .map(([registry, parts, version, content]) => `${registry === null ? "" : `${registry}/`}${parts.join("/")}${version}${content}`);

  const anything = fc.array(fc.nat(0x10_ffff), { maxLength: 60 }).map((points) => String.fromCodePoint(...points));

  it("gives nothing that could lead elsewhere in a URL, whatever is given", () => {
    const led = { toHub: 0, elsewhere: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: image }, anything), (given) => {
        const read = readReference(given);
        if ("error" in read) return;
        led[read.registry === "docker.io" ? "toHub" : "elsewhere"] += 1;
        assert.match(read.repository, /^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/);
        const path = `/v2/${read.repository}/manifests/${read.digest ?? read.tag ?? "latest"}`;
        const url = URL.parse(`https://${read.registry}${path}`);
        // What ends in a number is no name, but an address that may not be one.
        if (url === null) return assert.match(read.registry, /(?:^|\.)(?:\d+|0x[0-9a-f]*)(?::\d+)?$/);
        assert.equal(url.href, new URL(path, `https://${read.registry}`).href);
        assert.deepEqual([url.username, url.pathname, url.search, url.hash], ["", path, "", ""]);
        assert.ok(read.tag === null || isTag(read.tag));
      }),
      { numRuns: 1000 },
    );
    assert.ok(led.toHub > 30 && led.elsewhere > 60, JSON.stringify(led));
  });
});

describe("a mirror", () => {
  it("takes the place of the registry alone", () => {
    const reference = { registry: "docker.io", repository: "library/nginx", tag: "1", digest: null };
    assert.deepEqual(mirrored(reference, "Mirror.lan:5000"), { ...reference, registry: "mirror.lan:5000" });
    for (const none of [null, "", "a b", "https://x", "x/y"]) assert.equal(mirrored(reference, none), reference);
  });
});
