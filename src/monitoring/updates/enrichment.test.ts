import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flaw } from "../../../test/support/updates.ts";
import type { Package, PackageList, Vulnerability, VulnerabilityList } from "../../images/index.ts";
import { compareVulnerabilities } from "./enrichment.ts";

const checkedAt = new Date("2026-03-01T12:00:00Z");
const packages = (given: Partial<PackageList> = {}): PackageList => ({
  source: "layers",
  packages: [],
  complete: true,
  note: null,
  ...given,
});
const list = (vulnerabilities: Vulnerability[], given: Partial<VulnerabilityList> = {}): VulnerabilityList => ({
  known: true,
  vulnerabilities,
  note: null,
  checkedAt,
  ...given,
});
const on = (ecosystem: string, each: Vulnerability): Vulnerability => ({ ...each, ecosystem });
const installed = (ecosystem: string, name: string): Package => ({ ecosystem, name, version: "1", source: null });

function compared(
  running: VulnerabilityList,
  there: VulnerabilityList,
  thereIn: Partial<PackageList> = {},
  hereIn: Partial<PackageList> = {},
) {
  const { cves, vulnerabilities } = compareVulnerabilities({
    packages: packages(hereIn),
    running,
    available: { packages: packages(thereIn), list: there },
  });
  const { fixed_by_update: fixed, new_in_update: added, worstFixed, note } = cves;
  return { each: vulnerabilities.map(({ fixed_by_update: each }) => each), fixed, added, worstFixed, note };
}

describe("what an update mends", () => {
  test("one that is in both is neither mended nor new, although the newer image is built on the next release of its distribution", () => {
    const here = list([on("Debian:12", flaw("CVE-1", "critical")), on("Debian:12", flaw("CVE-2", "high"))]);
    const there = list([on("Debian:13", flaw("CVE-1", "critical"))]);
    assert.deepEqual(compared(here, there), { each: [false, true], fixed: 1, added: 0, worstFixed: "high", note: null });
  });

  test("of an ecosystem that the database does not have nothing is reported", () => {
    const here = list([on("Debian:12", flaw("CVE-1", "critical")), on("npm", flaw("CVE-2", "high", "left-pad"))]);
    const there = list([], { absent: ["Debian:13"], note: "The folder has no records of Debian:13." });
    assert.deepEqual(compared(here, there), {
      each: [null, true],
      fixed: 1,
      added: 0,
      worstFixed: "high",
      note: "For the available image: The folder has no records of Debian:13.",
    });
    assert.equal(compared(list([], { absent: ["Debian:12"] }), list([flaw("CVE-1", "critical")])).added, 0);
  });

  test("of what an incomplete list does not name nothing is reported", () => {
    const here = list([flaw("CVE-1", "critical", "openssl, libssl3"), flaw("CVE-2", "high", "zlib1g")]);
    const incomplete = { complete: false, note: "Layer 2 of the image is broken.", packages: [installed("Debian:12", "libssl3")] };
    const { each, worstFixed, note } = compared(here, list([]), incomplete);
    assert.deepEqual([each, worstFixed, note], [[true, null], "critical", "For the available image: Layer 2 of the image is broken."]);
    assert.equal(compared(list([]), list([flaw("CVE-3", "low", "zlib1g")]), {}, incomplete).added, 0);
  });

  test("of a package whose records could not all be read nothing is reported, whatever the newer image calls it", () => {
    const here = list([flaw("CVE-1", "critical", "libssl3"), flaw("CVE-2", "high", "zlib1g")]);
    const hereIn = { packages: [{ ...installed("Debian:12", "libssl3"), source: { name: "openssl", version: "3" } }] };
    const there = list([], { unread: [{ ecosystem: "Debian:13", names: ["openssl", "libssl3t64"] }] });
    const { each, fixed, worstFixed } = compared(here, there, {}, hereIn);
    assert.deepEqual([each, fixed, worstFixed], [[null, true], 1, "high"]);
    const renamed = list([flaw("CVE-3", "critical", "zlib1g")]);
    assert.equal(compared(list([], { unread: [{ ecosystem: "Debian:12", names: ["zlib1g"] }] }), renamed).added, 0);
  });

  test("what was left out of an image is not taken for well", () => {
    const completeOf = (running: Partial<VulnerabilityList>, hereIn: Partial<PackageList> = {}): boolean | undefined =>
      compareVulnerabilities({ packages: packages(hereIn), running: list([], running), available: undefined }).cves.complete;
    const leftOut = 'No vulnerabilities are published in OSV for the distribution "amzn 2023", so its rpm packages are left out.';
    assert.deepEqual(
      [
        completeOf({}),
        completeOf({}, { complete: false, note: leftOut, packages: [installed("npm", "left")] }),
        completeOf({ known: false }),
        completeOf({ absent: ["Debian:12"] }),
        completeOf({ unread: [{ ecosystem: "npm", names: ["left"] }] }),
        completeOf({ absent: [], unread: [] }),
      ],
      [true, false, false, false, false, true],
    );
  });

  test("of an image of which nothing is known nothing is reported", () => {
    const unknown = list([], { known: false, note: "The packages of the image are not known." });
    const { each, fixed, added } = compared(list([flaw("CVE-1", "critical")]), unknown);
    assert.deepEqual([each, fixed, added], [[null], null, null]);
  });
});
