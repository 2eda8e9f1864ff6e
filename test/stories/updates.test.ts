import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts, AlertList } from "../../src/alerting/alerts/answers.ts";
import type { ContainerDetail } from "../../src/monitoring/containers/answers.ts";
import type { ExclusionRecord, ScanRecord, UpdateRecord } from "../../src/monitoring/updates/answers.ts";
import type { UpdateStatus } from "../../src/events.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { listen, type Listener } from "../support/event-source.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { type Descriptor, pushImage, pushIndex } from "../support/registry-images.ts";
import { startRegistry, type TestRegistry } from "../support/registry.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);
const SELDOM = { everyMs: 150, withinMs: 60_000 };
const UPDATES = "/api/v1/updates";
const MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
/** Of the record below; the score is what its vector amounts to by CVSS 3.1. */
const PLANTED = { id: "CVE-2099-0001", vector: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", score: 9.8 } as const;

/** Real containers of images in a real registry: what is newer is found, published once, enriched, pinned, excluded, installed and rolled back. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let registry: TestRegistry;
  let folder: string;
  let program: Program & { dataDir: string; port: number };
  let env: Record<string, string>;
  let live: Listener;
  let shop: number;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    folder = await mkdtemp(join(tmpdir(), "binnacle-updates-"));
    registry = await startRegistry({ auth: "htpasswd" });
    await writeFile(join(folder, "config.json"), JSON.stringify(registry.dockerConfig));
    await mkdir(join(folder, "osv"));
    await writeFile(join(folder, "osv/planted.json"), JSON.stringify(plantedRecord()));
    await publish("team/shop:1.0.0", { openssl: "3.0.11-1~deb12u2" });
    const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 });
    env = {
      SERVICE_DOCKER_HOST: engine.host,
      SERVICE_LICENSE_KEY: licence,
      SERVICE_REGISTRY_AUTH_FILE: join(folder, "config.json"),
      SERVICE_UPDATE_PRIVATE_HOSTS: `http://${registry.host}`,
      // It is for channels and webhooks alone.
      SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
      SERVICE_OSV_DIR: join(folder, "osv"),
      ...(await databaseEnv()),
    };
    await start();
  });

  after(async () => {
    live?.close();
    await program?.stop();
    await containers?.removeAll();
    await registry?.stop();
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    program = await startProgram({ env, ...(program === undefined ? {} : { dataDir: program.dataDir, port: program.port }) });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected, SELDOM);
    live = await listen(`${program.url}/api/v1/containers/events`);
  }

  /** An image with a database of packages, made by the engine and pushed by it. Answers its digest. */
  const publish = async (name: string, packages: Record<string, string>): Promise<string> =>
    registry.pushFrom(engine, await build(name, packages), name);

  /** Answers how the engine calls it. */
  async function build(name: string, packages: Record<string, string>): Promise<string> {
    const path = await mkdtemp(join(folder, "image-"));
    const status = Object.entries(packages).map(
      ([each, version]) => `Package: ${each}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${version}\n`,
    );
    await writeFile(join(path, "status"), status.join("\n"));
    await writeFile(join(path, "os-release"), 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12"\n');
    const lines = [`FROM ${BUSYBOX}`, "COPY status /var/lib/dpkg/status", "COPY os-release /etc/os-release", `LABEL built.as=${name}`];
    await writeFile(join(path, "Dockerfile"), lines.join("\n"));
    const image = `${containers.prefix}/${name}`;
    await run("docker", ["build", "-q", "-t", image, path], { env: { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: "0" } });
    return image;
  }

  async function send<Body>(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    // What the test asks for is what the route answers.
    return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
  }

  async function idOf(name: string): Promise<number> {
    type List = { groups: { containers: { id: number; name: string }[] }[] };
    const found = await until(
      async () => {
        const { groups } = await program.get<List>(`/api/v1/containers?search=${containers.prefix}-${name}`);
        return groups.flatMap((group) => group.containers).find((each) => each.name === `${containers.prefix}-${name}`);
      },
      { ...SELDOM, what: `container ${name}` },
    );
    return found.id;
  }

  /** Looks once, and waits until everything is known that comes of it. */
  async function scan(): Promise<ScanRecord> {
    const begun = await until(
      async () => {
        const { status, body } = await send<{ scan_id: string }>("POST", `${UPDATES}/scan`);
        return status === 202 ? body : undefined;
      },
      { ...SELDOM, what: "a scan to begin" },
    );
    const done = await until(
      async () => {
        const each = await program.get<ScanRecord>(`${UPDATES}/scan/${begun.scan_id}`);
        return each.status === "running" ? undefined : each;
      },
      { ...SELDOM, what: "the scan to end" },
    );
    await until(async () => (await program.get<{ studying: object | null }>(`${UPDATES}/summary`)).studying === null, SELDOM);
    return done;
  }

  const update = (id: number): Promise<UpdateRecord> => program.get(`${UPDATES}/container/${id}`);
  const standing = (id: number, status: UpdateStatus): Promise<UpdateRecord> =>
    until(async () => ((await update(id)).status === status ? update(id) : undefined), {
      ...SELDOM,
      what: `container ${id} to be ${status}`,
    });
  const alertOf = async (id: number): Promise<AlertRecord | undefined> =>
    (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.find(
      ({ source, event, entity_id }) => source === "update" && event === "available" && entity_id === String(id),
    );
  const alerted = (id: number): Promise<AlertRecord> => until(() => alertOf(id), { ...SELDOM, what: `an alert of container ${id}` });
  const silent = (id: number): Promise<true> =>
    until(async () => (await alertOf(id)) === undefined || undefined, { ...SELDOM, what: `no alert of container ${id}` });
  /** As a person would: copied into a shell. */
  const paste = (text: string) => run("sh", ["-c", text], { env: { ...process.env, DOCKER_HOST: engine.host, DOCKER_CONFIG: folder } });
  const runs = async (name: string): Promise<string> =>
    engine.docker("inspect", "-f", '{{index .Config.Labels "built.as"}}', `${containers.prefix}-${name}`);

  it("finds a newer tag, publishes it once, and shows what it fixes", async () => {
    await engine.docker(
      ...["run", "-d", "--name", `${containers.prefix}-shop`, "--label", `binnacle.test=${containers.prefix}`],
      ...["--label", "service.update.track=minor", "-e", "KEPT=yes", `${registry.host}/team/shop:1.0.0`],
    );
    shop = await idOf("shop");
    assert.equal((await scan()).status, "completed");
    const current = await standing(shop, "up_to_date");
    assert.deepEqual(
      current.cves?.vulnerabilities.map(({ id, score, severity, fixed_in, package: of }) => [id, score, severity, fixed_in, of]),
      [[PLANTED.id, PLANTED.score, "critical", "3.0.15-1~deb12u1", "openssl"]],
    );

    await publish("team/shop:1.1.0", { openssl: "3.0.15-1~deb12u1" });
    await publish("team/shop:1.2.0-rc1", { openssl: "3.0.15-1~deb12u1" });
    await publish("team/shop:2.0.0", { openssl: "3.0.15-1~deb12u1" });
    await scan();
    const found = await standing(shop, "available");
    assert.partialDeepStrictEqual(found, {
      current_tag: "1.0.0",
      available_tag: "1.1.0",
      update_type: "minor",
      registry: registry.host,
      check_error: null,
    });
    const [cve] = found.cves?.vulnerabilities ?? [];
    assert.equal(cve?.fixed_by_update, true);
    assert.ok((found.risk_score ?? 0) > 0);
    assert.equal(
      found.risk_parts?.reduce((sum, { points }) => sum + points, 0),
      found.risk_score,
    );
    assert.match((await alerted(shop)).message, /1\.0\.0.*1\.1\.0/);
    const { id } = await alerted(shop);
    await scan();
    assert.equal((await alerted(shop)).id, id);
    assert.equal(live.events.filter(({ type, data }) => type === "update.detected" && data["id"] === shop).length, 1);
  });

  it("is silent about what is pinned, and publishes it again when it is not", async () => {
    assert.equal((await send("POST", `${UPDATES}/pin/${shop}`, { reason: "until the fair is over" })).status, 201);
    await silent(shop);
    assert.equal((await standing(shop, "pinned")).available_tag, "1.1.0");
    await scan();
    assert.equal(await alertOf(shop), undefined);
    assert.equal((await send("DELETE", `${UPDATES}/pin/${shop}`)).status, 204);
    await alerted(shop);
    await live.wait(({ type }) => type === "update.unpinned");
    assert.deepEqual(
      live.events.filter(({ type }) => type === "update.pinned" || type === "update.unpinned").map(({ type }) => type),
      ["update.pinned", "update.unpinned"],
    );
  });

  it("leaves out what is excluded", async () => {
    const { status, body } = await send<ExclusionRecord>("POST", `${UPDATES}/exclusions`, { image: `${registry.host}/team/sh*` });
    assert.deepEqual([status, body.matches], [201, 1]);
    await silent(shop);
    await standing(shop, "excluded");
    assert.equal((await send("DELETE", `${UPDATES}/exclusions/${body.id}`)).status, 204);
    await alerted(shop);
  });

  it("knows the same after a restart, and does not publish again", async () => {
    const { id } = await alerted(shop);
    live.close();
    await program.stop();
    await start();
    assert.equal((await standing(shop, "available")).available_tag, "1.1.0");
    assert.equal((await alerted(shop)).id, id);
    const { alerts } = await program.get<AlertList>(`/api/v1/alerts?source=update&entity_id=${shop}&status=active`);
    assert.equal(alerts.length, 1);
  });

  it("gives commands that take the update, and take it back", async () => {
    const { update_command: forward, rollback_command: back } = await update(shop);
    assert.ok(forward !== null && back !== null);
    assert.ok(!forward.text.includes("KEPT"), "what the environment says stays with the engine");
    await paste(forward.text);
    assert.equal(await runs("shop"), "team/shop:1.1.0");
    assert.match(await engine.docker("inspect", "-f", "{{json .Config.Env}}", `${containers.prefix}-shop`), /KEPT=yes/);
    await until(async () => (await program.get<ContainerDetail>(`/api/v1/containers/${shop}`)).generation === 2, {
      ...SELDOM,
      what: "the re-created container",
    });
    await scan();
    const taken = await standing(shop, "up_to_date");
    assert.deepEqual([taken.current_tag, taken.cves?.known, taken.cves?.vulnerabilities], ["1.1.0", true, []]);
    assert.partialDeepStrictEqual(taken.comparison, { verdict: "pending", image: `${registry.host}/team/shop:1.1.0` });
    assert.equal(await alertOf(shop), undefined);
    assert.ok(taken.rollback_command !== null);
    const digest = /sha256:[0-9a-f]{64}/.exec(back.text)?.[0] ?? "none";
    assert.ok(taken.rollback_command.text.includes(digest), "afterwards the way back is the same");
    await paste(taken.rollback_command.text);
    assert.equal(await runs("shop"), "team/shop:1.0.0");
  });

  it("distinguishes another content of the same tag from another list around the same image", async () => {
    const amd = await describe("team/multi", await publish("team/multi:built", { base: "1" }));
    const arm = (note: string): Promise<Descriptor> => pushImage(registry, "team/multi", { architecture: "arm64", note });
    await pushIndex(registry, "team/multi", [amd, await arm("one")], "stable");
    const image = `${registry.host}/team/multi:stable`;
    await engine.docker("--config", folder, "pull", image);
    await engine.docker("run", "-d", "--name", `${containers.prefix}-multi`, "--label", `binnacle.test=${containers.prefix}`, image);
    const id = await idOf("multi");
    await scan();
    await standing(id, "up_to_date");

    await pushIndex(registry, "team/multi", [amd, await arm("two")], "stable");
    await scan();
    assert.equal((await standing(id, "up_to_date")).check_error, null);

    const other = await describe("team/multi", await publish("team/multi:built", { base: "2" }));
    await pushIndex(registry, "team/multi", [other, await arm("two")], "stable");
    await scan();
    assert.partialDeepStrictEqual(await standing(id, "available"), {
      update_type: "digest",
      available_tag: "stable",
      current_tag: "stable",
    });
  });

  it("says of one image that it cannot be asked about, and of another that its registry does not have it", async () => {
    const strange = "127.0.0.1:9/team/strange:1.0";
    // Never pushed to any registry.
    const own = await build("team/own:1.0", { base: "own" });
    for (const [name, image] of [["gone", `${registry.host}/team/gone:1.0`] as const, ["strange", strange] as const]) {
      await engine.docker("tag", own, image);
      await engine.docker("run", "-d", "--name", `${containers.prefix}-${name}`, "--label", `binnacle.test=${containers.prefix}`, image);
    }
    const [gone, refused] = [await idOf("gone"), await idOf("strange")];
    const { errors, status } = await scan();
    assert.equal(status, "completed");
    assert.deepEqual(
      errors.map(({ image }) => image),
      [strange],
    );
    assert.match((await standing(refused, "unknown")).check_error ?? "", /127\.0\.0\.1.* is a loopback address/);
    assert.partialDeepStrictEqual(await standing(gone, "unknown"), { check_error: null });
    assert.match((await update(gone)).status_reason ?? "", /registry/);
    assert.ok(!program.log().includes(registry.password));
  });

  /** As a list names an image that the engine pushed. */
  async function describe(repository: string, digest: string): Promise<Descriptor> {
    const headers = { accept: MANIFEST, authorization: `Basic ${btoa(`${registry.username}:${registry.password}`)}` };
    const answer = await fetch(`${registry.url}/v2/${repository}/manifests/${digest}`, { headers });
    assert.equal(answer.status, 200);
    const { length: size } = Buffer.from(await answer.arrayBuffer());
    return { mediaType: MANIFEST, digest, size, platform: { os: "linux", architecture: "amd64" } };
  }
}

function plantedRecord(): object {
  return {
    schema_version: "1.6.0",
    id: "DEBIAN-CVE-2099-0001",
    aliases: [PLANTED.id],
    modified: "2026-01-02T00:00:00Z",
    published: "2026-01-01T00:00:00Z",
    summary: "Planted for this test",
    severity: [{ type: "CVSS_V3", score: PLANTED.vector }],
    affected: [
      {
        package: { ecosystem: "Debian:12", name: "openssl" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "3.0.15-1~deb12u1" }] }],
      },
    ],
  };
}

storyOnBothDatabases("updates", story);
