import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import type { BillOfMaterials } from "../image.ts";
import { packagesOfBills } from "./bill-of-materials.ts";
import { packageOf, readPackageUrl } from "./url-package.ts";

const NAMED: readonly [url: string, expected: string | null][] = [
  [
    "pkg:deb/debian/libc6@2.36-9%2Bdeb12u4?arch=amd64&distro=debian-12&upstream=glibc",
    "Debian:12 libc6 2.36-9+deb12u4 from glibc 2.36-9+deb12u4",
  ],
  [
    "pkg:deb/debian/gcc-12-base@12.2.0-14?distro=debian-12.5&upstream=gcc-12%4012.2.0-14x",
    "Debian:12 gcc-12-base 12.2.0-14 from gcc-12 12.2.0-14x",
  ],
  ["pkg:deb/debian/adduser@3.134?distro=bookworm", "Debian:12 adduser 3.134"],
  ["pkg:deb/debian/adduser@3.134?os_distro=bookworm&os_name=debian&os_version=12", "Debian:12 adduser 3.134"],
  ["pkg:deb/ubuntu/bash@5.1-6ubuntu1?distro=ubuntu-22.04", "Ubuntu:22.04:LTS bash 5.1-6ubuntu1"],
  ["pkg:deb/ubuntu/bash@5.1-6ubuntu1?distro=jammy", "Ubuntu:22.04:LTS bash 5.1-6ubuntu1"],
  ["pkg:deb/debian/adduser@3.134", null],
  [
    "pkg:apk/alpine/libssl3@3.1.4-r5?arch=x86_64&upstream=openssl&distro=alpine-3.19.1",
    "Alpine:v3.19 libssl3 3.1.4-r5 from openssl 3.1.4-r5",
  ],
  ["pkg:apk/alpine/musl@1.2.4-r2?distro=3.18.4", "Alpine:v3.18 musl 1.2.4-r2"],
  ["pkg:apk/wolfi/curl@8.5.0-r0?distro=wolfi-20230201", "Wolfi curl 8.5.0-r0"],
  ["pkg:apk/chainguard/curl@8.5.0-r0", "Chainguard curl 8.5.0-r0"],
  [
    "pkg:rpm/redhat/openssl-libs@3.0.7-24.el9?arch=x86_64&epoch=1&upstream=openssl-3.0.7-24.el9.src.rpm&distro=rhel-9.3",
    "Red Hat:enterprise_linux:9::baseos openssl-libs 1:3.0.7-24.el9 from openssl 1:3.0.7-24.el9",
  ],
  ["pkg:rpm/rocky/bash@5.1.8-6.el9?distro=rocky-9.3", "Rocky Linux:9 bash 5.1.8-6.el9"],
  ["pkg:rpm/opensuse/bash@4.4?distro=opensuse-leap-15.5", "openSUSE:Leap 15.5 bash 4.4"],
  ["pkg:rpm/fedora/curl@7.50.3-1.fc25?distro=fedora-25", null],
  ["pkg:npm/%40angular/core@16.0.0", "npm @angular/core 16.0.0"],
  ["pkg:npm/@angular/core@16.0.0", "npm @angular/core 16.0.0"],
  ["pkg:pypi/Zope.Interface@5.4.0", "PyPI zope-interface 5.4.0"],
  ["pkg:golang/github.com/gorilla/mux@v1.8.0#sub", "Go github.com/gorilla/mux 1.8.0"],
  ["pkg:golang/stdlib@1.21.5", "Go stdlib 1.21.5"],
  ["pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar", "Maven org.apache.logging.log4j:log4j-core 2.14.1"],
  ["pkg:gem/rails@7.0.0?platform=ruby", "RubyGems rails 7.0.0"],
  ["pkg:cargo/serde@1.0.0", "crates.io serde 1.0.0"],
  ["pkg:composer/Symfony/http-kernel@v5.4.0", "Packagist symfony/http-kernel v5.4.0"],
  ["pkg:nuget/Newtonsoft.Json@12.0.1", "NuGet Newtonsoft.Json 12.0.1"],
  ["pkg:alpine/busybox@1.35.0-r17?arch=aarch64&upstream=busybox&distro=alpine-3.16.2", "Alpine:v3.16 busybox 1.35.0-r17"],
  ["pkg:alpine/musl@1.2.3-r4?distro=3.16.2", "Alpine:v3.16 musl 1.2.3-r4"],
  ["pkg:crate/serde@1.0.0", "crates.io serde 1.0.0"],
  ["pkg:dotnet/Newtonsoft.Json@12.0.1", "NuGet Newtonsoft.Json 12.0.1"],
  ["pkg:rpm/opensuse.leap/bash@4.4?distro=opensuse.leap-15.5", "openSUSE:Leap 15.5 bash 4.4"],
  ["pkg:rpm/cbl-mariner/bash@5.1.8-1.cm2?distro=cbl-mariner-2.0", "Azure Linux:2 bash 5.1.8-1.cm2"],
  ["pkg:deb/debian/git@2.39.2-1.1?arch=arm64&distro=debian-12.5&epoch=1", "Debian:12 git 1:2.39.2-1.1"],
  ["pkg:deb/debian/git@1:2.39.2-1.1?distro=debian-12.5&epoch=1", "Debian:12 git 1:2.39.2-1.1"],
  ["pkg:generic/openssl@1.1.1", null],
  ["pkg:constructor/openssl@1.1.1", null],
  ["pkg:deb/debian/x@1?distro=constructor", null],
];

function spelt(url: string): string | null {
  const read = readPackageUrl(url);
  assert.ok(read, url);
  const named = packageOf(read, undefined);
  if (!("found" in named)) return null;
  const { ecosystem, name, version, source } = named.found;
  return `${ecosystem} ${name} ${version}${source === null ? "" : ` from ${source.name} ${source.version}`}`;
}

describe("a package URL", () => {
  for (const [url, expected] of NAMED) it(url, () => assert.equal(spelt(url), expected));

  it("without a version, or broken, is none", () => {
    for (const url of [
      "pkg:npm/x",
      "pkg:npm/@scope/x",
      "npm/x@1",
      "pkg:npm/%zz@1",
      "pkg:@1",
      "pkg:npm/x@",
      "pkg:<b>/x@1",
      `pkg:npm/${"x".repeat(3000)}@1`,
    ])
      assert.equal(readPackageUrl(url), undefined, url);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (type, rest) => {
        const read = readPackageUrl(`pkg:${type}/${rest}`);
        if (read !== undefined) packageOf(read, undefined);
      }),
    );
  });
});

describe("a bill of materials", () => {
  const read = (...bills: BillOfMaterials[]) => packagesOfBills({ bills, unread: 0 });
  const reference = (purl: string) => ({
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  });
  const spdx = (...packages: unknown[]) => ({ format: "spdx" as const, document: { spdxVersion: "SPDX-2.3", packages } });
  const cyclonedx = (...components: unknown[]) => ({
    format: "cyclonedx" as const,
    document: { bomFormat: "CycloneDX", specVersion: "1.5", components },
  });
  const names = (list: ReturnType<typeof packagesOfBills>) => list?.packages.map(({ ecosystem, name }) => `${ecosystem} ${name}`);

  it("of SPDX is read", () => {
    const list = read(
      spdx(reference("pkg:npm/a@1"), { name: "without" }, reference("pkg:deb/debian/b@2?distro=debian-12"), reference("pkg:npm/a@1")),
    );
    assert.deepEqual(list, {
      source: "sbom",
      packages: [
        { ecosystem: "Debian:12", name: "b", version: "2", source: null },
        { ecosystem: "npm", name: "a", version: "1", source: null },
      ],
      complete: true,
      note: null,
    });
  });

  it("of CycloneDX is read, with what is inside of components and the distribution that it names once", () => {
    const os = { type: "operating-system", name: "debian", version: "12" };
    const list = read(
      cyclonedx(os, { type: "library", name: "x", purl: "pkg:deb/debian/x@1", components: [{ name: "y", purl: "pkg:npm/y@2" }] }),
    );
    assert.deepEqual(names(list), ["Debian:12 x", "npm y"]);
    assert.equal(list?.complete, true);
  });

  it("of trivy is read with the source packages, which are not in its package URLs", () => {
    const properties = Object.entries({ SrcName: "shadow", SrcVersion: "4.13+dfsg1", SrcRelease: "1", SrcEpoch: "1" }).map(
      ([name, value]) => ({
        name: `aquasecurity:trivy:${name}`,
        value,
      }),
    );
    const login = "pkg:deb/debian/login@4.13%2Bdfsg1-1%2Bb1?arch=amd64&distro=debian-12.5&epoch=1";
    const openssl = {
      ...reference("pkg:apk/alpine/libcrypto3@3.1.4-r5?distro=3.19.1"),
      sourceInfo: "built package from: openssl 3.1.4-r5",
    };
    const syft = { ...reference("pkg:apk/alpine/musl@1.2.4-r2?distro=3.19.1"), sourceInfo: "acquired package info from APK DB: x y" };
    assert.deepEqual(
      read(cyclonedx({ name: "login", purl: login, properties }), spdx(openssl, syft))?.packages.map(({ name, version, source }) => [
        name,
        version,
        source,
      ]),
      [
        ["libcrypto3", "3.1.4-r5", { name: "openssl", version: "3.1.4-r5" }],
        ["musl", "1.2.4-r2", null],
        ["login", "1:4.13+dfsg1-1+b1", { name: "shadow", version: "1:4.13+dfsg1-1" }],
      ],
    );
  });

  it("says what it leaves out", () => {
    const list = read(
      spdx(reference("pkg:npm/a@1"), reference("pkg:npm/b"), reference("pkg:deb/debian/c@1"), reference("pkg:npm/<script>@1")),
      { format: "spdx", document: "no" },
    );
    assert.deepEqual(names(list), ["npm a"]);
    assert.equal(list?.complete, false);
    for (const part of [
      /cannot be read/,
      /1 package of the attached list says no version/,
      /does not say which distribution/,
      /1 package without a usable name/,
    ])
      assert.match(list?.note ?? "", part);
  });

  it("says which kinds of packages are not looked up, and how many of them there are", () => {
    const list = read(
      spdx(
        ...[
          "npm/a@1",
          "generic/b@1",
          "generic/c@1",
          "generic/b@1",
          "conda/d@1",
          "oci/image@sha256:1",
          "deb/debian/e@1",
          "deb/debian/f@1",
        ].map((rest) => reference(`pkg:${rest}`)),
      ),
    );
    assert.deepEqual(names(list), ["npm a"]);
    assert.deepEqual(
      [list?.complete, list?.note],
      [
        false,
        'Vulnerabilities of the kind "generic" are not looked up, so its packages are left out (2). ' +
          "The image does not say which distribution it is, so its dpkg packages are left out (2). " +
          'Vulnerabilities of the kind "conda" are not looked up, so its packages are left out (1).',
      ],
    );
  });

  it("is complete though it names the image itself, and not when documents were not read", () => {
    const bills = [spdx(reference("pkg:npm/a@1"), reference("pkg:docker/image"), reference("pkg:oci/image@sha256:1"))];
    assert.equal(packagesOfBills({ bills, unread: 0 })?.note, null);
    const { complete, note } = packagesOfBills({ bills, unread: 2 }) ?? {};
    assert.deepEqual([complete, note], [false, "2 documents attached to the image that may list packages were not read."]);
  });

  it("of nothing that can be looked up is as good as none", () => {
    assert.equal(read(), undefined);
    assert.equal(read(spdx(reference("pkg:generic/a@1"))), undefined);
  });

  it("has no more packages than are read", () => {
    const list = read(spdx(...Array.from({ length: 50_010 }, (_, index) => reference(`pkg:npm/p${index}@1`))));
    assert.equal(list?.packages.length, 50_000);
    assert.match(list?.note ?? "", /first 50000/);
    const same = Array.from({ length: 50_010 }, () => reference("pkg:npm/a@1"));
    assert.equal(read(spdx(...same, reference("pkg:npm/b@1")))?.complete, false);
  });

  it("never throws, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (document, part) => {
        read(
          { format: "spdx", document },
          { format: "cyclonedx", document },
          spdx(part, { externalRefs: part }),
          cyclonedx(part, { components: part, purl: part, properties: part }),
          cyclonedx({ purl: "pkg:deb/debian/x@1?distro=debian-12", properties: [part] }),
        );
      }),
    );
  });
});
