import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { excludes, IMAGE_PATTERN, imageWithTag, matchesGlob, namesOfImage, withoutTag } from "./image-pattern.ts";

describe("patterns of image names", () => {
  const cases: [pattern: string, image: string, fits: boolean][] = [
    ["nginx", "nginx", true],
    ["nginx", "nginx:1.25", true],
    ["nginx", "nginx@sha256:ab", true],
    ["nginx", "shop/nginx", false],
    ["docker.io/library/nginx", "nginx:1.25", true],
    ["docker.io/library/nginx:latest", "nginx", true],
    ["docker.io/library/nginx:latest", "nginx@sha256:ab", false],
    ["docker.io/*", "ghcr.io/a/b", false],
    ["docker.io/*", "localhost/a", false],
    ["*/web", "registry.lan:5000/shop/web:2", true],
    ["registry.lan:5000/*", "registry.lan:5000/shop/web", true],
    ["*:latest", "web", true],
    ["*:latest", "web:1", false],
    ["we?:1", "web:1", true],
    ["we?", "we", false],
    ["SHOP/Web", "shop/web:1", true],
    ["*", "anything", true],
    ["w*b*1", "web:1", true],
    ["", "web", false],
    ["*", "", true],
    ["nginx:1.2?", "nginx:1.27", true],
    ["nginx:1.2?", "nginx:1.2", false],
    ["NGINX:1.*", "nginx:1.27", true],
    ["registry.lan:5000/team/web", "registry.lan:5000/team/web:2@sha256:ab", true],
    ["docker.io/team/web", "team/web", true],
    ["nginx*latest", "nginx@sha256:ab", false],
  ];
  for (const [pattern, image, fits] of cases) {
    it(`${pattern || "nothing"} ${fits ? "fits" : "does not fit"} ${image}`, () => assert.equal(excludes(pattern, image), fits));
  }

  it("fit what a regular expression of the same meaning fits", () => {
    const names = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "?"), maxLength: 6 });
    fc.assert(
      fc.property(patterns, names, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll("?", ".").replaceAll("*", ".*")}$`, "s");
        assert.equal(matchesGlob(pattern, text), expression.test(text));
      }),
    );
  });

  it("take no longer for a bad one", () => {
    const began = performance.now();
    assert.equal(matchesGlob(`${"*a".repeat(120)}b`, "a".repeat(1000)), false);
    assert.ok(performance.now() - began < 10_000);
  });

  it("name an image in full and short, and with another tag", () => {
    assert.deepEqual(namesOfImage("nginx:1"), ["nginx:1", "nginx", "docker.io/library/nginx:1", "docker.io/library/nginx"]);
    assert.equal(imageWithTag("registry.lan:5000/web", "2"), "registry.lan:5000/web:2");
    assert.equal(imageWithTag("web:1@sha256:ab", "2"), "web:2");
  });

  it("leave out tag and digest", () => {
    const images = ["nginx", "nginx:1", "r.lan:5000/web", "r.lan:5000/web:1@sha256:ab", "web@sha256:ab", ""];
    assert.deepEqual(images.map(withoutTag), ["nginx", "nginx", "r.lan:5000/web", "r.lan:5000/web", "web", ""]);
  });

  it("are made of what an image's name is made of", () => {
    for (const text of ["nginx:*", "R.lan:5000/te_am/w-b?@sha256:ab"]) assert.match(text, IMAGE_PATTERN);
    for (const text of ["", "<b>", "caf\u00e9", "\u0661", "a b", "nginx\n"]) assert.doesNotMatch(text, IMAGE_PATTERN);
  });
});
