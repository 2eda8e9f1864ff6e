import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placeOf, readOsRelease, type SystemManager } from "./distribution.ts";

const PLACES: readonly [manager: SystemManager, osRelease: string, ecosystem: string | null][] = [
  ["dpkg", 'ID=debian\nVERSION_ID="12"', "Debian:12"],
  ["dpkg", 'ID=debian\nPRETTY_NAME="Debian GNU/Linux trixie/sid"', null],
  ["dpkg", "ID=raspbian\nID_LIKE=debian\nVERSION_ID=12", null],
  ["dpkg", 'ID=ubuntu\nVERSION_ID="22.04"', "Ubuntu:22.04:LTS"],
  ["dpkg", 'ID=ubuntu\nVERSION_ID="23.04"', "Ubuntu:23.04"],
  ["dpkg", 'ID=ubuntu\nVERSION_ID="24.10"', "Ubuntu:24.10"],
  ["apk", "ID=alpine\nVERSION_ID=3.20.3", "Alpine:v3.20"],
  ["apk", "ID=alpine\nVERSION_ID=3.21.0_alpha20240807", null],
  ["apk", 'ID=wolfi\nVERSION_ID="20230201"', "Wolfi"],
  ["apk", "ID=chainguard", "Chainguard"],
  ["apk", "ID=debian\nVERSION_ID=12", null],
  ["rpm", 'ID="rocky"\nVERSION_ID="9.4"', "Rocky Linux:9"],
  ["rpm", 'ID="almalinux"\nVERSION_ID="8.10"', "AlmaLinux:8"],
  ["rpm", 'ID="rhel"\nVERSION_ID="9.4"\nCPE_NAME="cpe:/o:redhat:enterprise_linux:9::baseos"', "Red Hat:enterprise_linux:9::baseos"],
  ["rpm", 'ID="rhel"\nVERSION_ID="8.10"', "Red Hat:enterprise_linux:8::baseos"],
  ["rpm", 'ID="opensuse-leap"\nVERSION_ID="15.6"', "openSUSE:Leap 15.6"],
  ["rpm", 'ID="opensuse-tumbleweed"\nVERSION_ID="20240801"', "openSUSE:Tumbleweed"],
  ["rpm", 'ID="sles"\nVERSION_ID="15.5"', null],
  ["rpm", "ID=azurelinux\nVERSION_ID=3.0", "Azure Linux:3"],
  ["rpm", 'ID="openEuler"\nVERSION="22.03 (LTS-SP3)"\nVERSION_ID="22.03"', "openEuler:22.03-LTS-SP3"],
  ["rpm", 'ID="mageia"\nVERSION_ID="9"', "Mageia:9"],
  ["rpm", "ID=photon\nVERSION_ID=5.0", "Photon OS:5.0"],
  ["rpm", "ID=fedora\nVERSION_ID=40", null],
  ["rpm", "ID=amzn\nVERSION_ID=2023", null],
  ["rpm", 'ID="__proto__"\nVERSION_ID="9"', null],
];

describe("a distribution's place in OSV", () => {
  for (const [manager, osRelease, ecosystem] of PLACES) {
    it(`${manager}: ${osRelease.replaceAll("\n", " ")}`, () => {
      const place = placeOf(manager, readOsRelease(osRelease));
      assert.equal(place.ecosystem, ecosystem);
      if (ecosystem === null) assert.match(place.note ?? "", /left out\.$/);
    });
  }

  it("is nowhere when the image does not say", () => {
    assert.equal(readOsRelease("NAME=x"), undefined);
    assert.match(placeOf("dpkg", undefined).note ?? "", /does not say which distribution/);
  });

  it("reads quoted values", () => {
    assert.deepEqual(readOsRelease('# x\nID=\'debian\'\r\nVERSION_ID="1\\"2"\n'), { id: "debian", versionId: '1"2', version: "", cpe: "" });
  });
});
