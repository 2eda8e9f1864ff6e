import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { archive, layerOf } from "../../../test/support/image-layers.ts";
import { pushAttestation, pushImage, pushIndex, SPDX } from "../../../test/support/registry-images.ts";
import { startRegistry, type TestRegistry } from "../../../test/support/registry.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound, type Outbound } from "../../platform/outbound.ts";
import { createKeychain, createRegistries, plainHttpOf } from "../registry/index.ts";
import { createPackageReader } from "./index.ts";

const PRIVATE = [{ host: "127.0.0.1", port: undefined, plain: true }];
const { signal } = new AbortController();
const AMD64 = { os: "linux", architecture: "amd64", variant: null };

describe("images of a real registry", () => {
  let registry: TestRegistry;
  let outbound: Outbound;
  before(async () => {
    registry = await startRegistry();
    outbound = createOutbound({ allowPrivate: false, privateHosts: PRIVATE, clock: systemClock });
  });
  after(async () => {
    outbound.stop();
    await registry.stop();
  });

  onBothDatabases((databases) => {
    async function read(repository: string) {
      const keychain = createKeychain({ authFile: undefined, home: undefined, log: silentLog });
      const registries = createRegistries({ outbound, keychain, plainHttp: plainHttpOf(PRIVATE), clock: systemClock, log: silentLog });
      const reader = createPackageReader({ registries, database: await databases.create(), clock: systemClock, log: silentLog });
      const image = await registries.image({ registry: registry.host, repository }, { tag: "1" }, AMD64, signal);
      const list = await reader.packagesOf(image, signal);
      const requests = registry.requests.length;
      assert.deepEqual(await reader.packagesOf(image, signal), list);
      assert.equal(registry.requests.length, requests, "it is not asked again");
      registries.stop();
      return list;
    }

    it("are read by their layers", async () => {
      const system = await layerOf([
        ["etc/os-release", readFileSync("/etc/os-release")],
        ["var/lib/dpkg/status", readFileSync("/var/lib/dpkg/status")],
      ]);
      const app = await layerOf([["app/node_modules/left-pad/package.json", '{"name":"left-pad","version":"1.3.0"}']], "zstd");
      await pushImage(registry, "made/app", { layers: [system.bytes, app.bytes] }, "1");
      const { packages, source, note } = await read("made/app");
      assert.deepEqual([source, note], ["layers", null]);
      assert.ok(packages.some(({ ecosystem, name }) => ecosystem === "Debian:12" && name === "dpkg"));
      assert.ok(packages.some(({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}` === "npm left-pad 1.3.0"));
    });

    it("are read by a list that is attached to them, and then their layers are left alone", async () => {
      const image = await pushImage(registry, "made/attested", { layers: [await archive([["x", "y"]])] });
      const document = {
        spdxVersion: "SPDX-2.3",
        packages: [
          { externalRefs: [{ referenceType: "purl", referenceLocator: "pkg:deb/debian/libc6@2.36-9?distro=debian-12&upstream=glibc" }] },
        ],
      };
      const attestation = await pushAttestation(registry, "made/attested", { image, predicateType: SPDX, document });
      await pushIndex(registry, "made/attested", [{ ...image, platform: { os: "linux", architecture: "amd64" } }, attestation], "1");
      registry.requests.splice(0);
      assert.deepEqual(await read("made/attested"), {
        source: "sbom",
        packages: [{ ecosystem: "Debian:12", name: "libc6", version: "2.36-9", source: { name: "glibc", version: "2.36-9" } }],
        complete: true,
        note: null,
      });
    });
  });
});
