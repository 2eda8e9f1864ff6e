import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readComposeFile } from "../support/compose.ts";
import { parseYaml } from "../support/yaml.ts";

const FOLDER = join(import.meta.dirname, "../../deploy");

interface Service {
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  volumes?: string[];
  privileged?: boolean;
}

/** The services of the file as Compose reads it; one that is laid over another is read with that one. */
async function servicesOf(files: readonly string[]): Promise<[name: string, service: Service][]> {
  const text = await readComposeFile(files, { SERVICE_GRPC_URL: "grpcs://monitor.test:8443" });
  const [document] = (await parseYaml(text)) as { services: Record<string, Service> }[];
  return Object.entries(document?.services ?? {});
}

describe("each service of the compose files", () => {
  const own = globSync("compose*.yaml", { cwd: FOLDER }).sort();

  for (const file of own)
    it(`is bounded and confined: ${file}`, async () => {
      const files = file === "compose.server.yaml" ? ["compose.yaml", file] : [file];
      const services = await servicesOf(files.map((name) => join(FOLDER, name)));
      assert.ok(services.length > 0);
      for (const [name, service] of services) {
        assert.match(String(service.mem_limit), /^\d+[mg]$/, name);
        assert.ok((service.cpus ?? 0) > 0 && (service.pids_limit ?? 0) > 0, name);
        assert.equal(service.read_only, true, name);
        assert.match(String(service.user), /^[1-9]\d*:[1-9]\d*$/, name);
        assert.deepEqual(service.cap_drop, ["ALL"], name);
        assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
        assert.ok(
          service.tmpfs?.every((mount) => /:size=\d+m$/.test(mount)),
          name,
        );
        assert.notEqual(service.privileged, true, name);
      }
    });

  it("other than the proxy has no socket where there is a proxy", async () => {
    const services = await servicesOf([join(FOLDER, "compose.proxy.yaml")]);
    const withSocket = services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.includes("docker.sock")));
    assert.deepEqual(
      withSocket.map(([name]) => name),
      ["socket-proxy"],
    );
  });
});
