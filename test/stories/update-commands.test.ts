import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Command, type CommandInput, commandsFor } from "../../src/monitoring/updates/commands/index.ts";
import { createComposeProject } from "../support/compose.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { startRegistry, type TestRegistry } from "../support/registry.ts";
import { isLong } from "../support/repetitions.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);

describe("update and rollback commands", () => {
  const prefix = `bt-${randomBytes(4).toString("hex")}`;
  let engine: TestEngine;
  let folder: string;
  let repository: string;
  let registry: TestRegistry;
  let containers: TestContainers;
  const digests = new Map<string, string>();

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    folder = await mkdtemp(join(tmpdir(), "binnacle-commands-"));
    registry = await startRegistry();
    repository = `${registry.host}/team/app`;
    for (const version of ["1", "2"])
      await publish(version, { entrypoint: `["/bin/sh", "-c", "echo version ${version} $0; exec sleep 100000"]` });
    await publish("broken", { entrypoint: '["/not/there"]' });
  });

  after(async () => {
    await registry.stop();
    await containers.removeAll();
    for (const kind of ["network", "volume"]) {
      const names = await engine.docker(kind, "ls", "-q", "--filter", `name=${prefix}`);
      if (names !== "") await engine.docker(kind, "rm", ...names.split("\n"));
    }
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function publish(version: string, { entrypoint }: { entrypoint: string }): Promise<void> {
    const path = join(folder, version);
    await mkdir(path);
    const lines = [
      "FROM binnacle-test/busybox:1",
      `ENV APP_VERSION=${version} KEPT="a b"`,
      `LABEL app.version=${version}`,
      "VOLUME /state",
      "EXPOSE 80",
      // The processes do not listen to others.
      "STOPSIGNAL SIGKILL",
      `ENTRYPOINT ${entrypoint}`,
      `CMD ["by default ${version}"]`,
    ];
    await writeFile(join(path, "Dockerfile"), lines.join("\n"));
    const env = { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: "0" };
    const image = `${prefix}/app:${version}`;
    await run("docker", ["build", "-q", "-t", image, path], { env });
    digests.set(version, await registry.pushFrom(engine, image, `team/app:${version}`));
  }

  async function commandsOf(name: string, available: string): Promise<{ update: Command; rollback: Command }> {
    const labels = JSON.parse(await engine.docker("inspect", "-f", "{{json .Config.Labels}}", name)) as Record<string, string>;
    const input: CommandInput = {
      container: { name, image: `${repository}:1`, imageId: null, runtime: "docker", labels, agentId: null },
      registryName: repository,
      currentTag: "1",
      currentDigest: digests.get("1") ?? null,
      availableTag: available,
      availableDigest: null,
      updateType: available === "1" ? "digest" : "major",
    };
    const { update, rollback } = commandsFor(input);
    assert.ok(update !== null && rollback !== null);
    return { update, rollback };
  }

  /** As a person would: copied into a shell. */
  const paste = ({ text }: Command): Promise<{ stdout: string; stderr: string }> =>
    run("sh", ["-c", text], { env: { ...process.env, DOCKER_HOST: engine.host } });
  const inspect = async (name: string): Promise<Inspected> => (JSON.parse(await engine.docker("inspect", name)) as [Inspected])[0];
  const logs = (name: string): Promise<string> => until(async () => (await engine.docker("logs", name)) || undefined);

  async function startRich(name: string): Promise<string> {
    await engine.docker("network", "create", `${prefix}-${name}-front`);
    await engine.docker("network", "create", `${prefix}-${name}-back`);
    const flags = [
      ...["-e", "KEPT=a b", "-e", 'SECRET=s3"$HOME`id`\nsecond line', "-e", "APP_VERSION=mine"],
      ...["-v", `${prefix}-${name}-data:/data`, "-p", "127.0.0.1::80", "--restart", "unless-stopped", "--stop-timeout", "1"],
      ...["--network", `${prefix}-${name}-front`, "--network-alias", "shop", "--label", "mine=it's <mine> & yours", "--memory", "64m"],
    ];
    const full = `${containers.prefix}-${name}`;
    await engine.docker(
      "run",
      "-d",
      "--name",
      full,
      "--label",
      `binnacle.test=${containers.prefix}`,
      ...flags,
      `${repository}:1`,
      "my",
      "command",
    );
    await engine.docker("network", "connect", "--alias", "ledger", `${prefix}-${name}-back`, full);
    await engine.docker("exec", full, "touch", "/state/of-before", "/data/of-before");
    return full;
  }

  test("a container started manually runs the new image with all that it had, and the old one again after a rollback", async () => {
    const name = await startRich("rich");
    const { update, rollback } = await commandsOf(name, "2");
    assert.doesNotMatch(update.text, /SECRET|s3/);
    const ports = (await inspect(name)).HostConfig["PortBindings"];

    const { stdout, stderr } = await paste(update);
    assert.doesNotMatch(`${stdout}${stderr}`, /s3/);
    const now = await inspect(name);
    assert.equal(now.State.Running, true);
    assert.equal(now.Config.Image, `${repository}:2`);
    // What was set manually stays, what was the image's own is the new image's.
    assert.deepEqual(now.Config.Cmd, ["my", "command"]);
    assert.match(now.Config.Entrypoint[2] ?? "", /^echo version 2/);
    const environment = now.Config.Env.filter((line) => !line.startsWith("PATH="));
    assert.deepEqual(environment.toSorted(), ["APP_VERSION=mine", "KEPT=a b", 'SECRET=s3"$HOME`id`\nsecond line']);
    assert.deepEqual(now.Config.Labels, { "app.version": "2", "binnacle.test": containers.prefix, mine: "it's <mine> & yours" });
    assert.equal(now.Config.Hostname, now.Id.slice(0, 12));
    assert.deepEqual(now.HostConfig["PortBindings"], ports);
    assert.deepEqual(now.HostConfig["RestartPolicy"], { Name: "unless-stopped", MaximumRetryCount: 0 });
    assert.equal(now.HostConfig["Memory"], 64 * 1024 * 1024);
    assert.equal(await engine.docker("exec", name, "ls", "/state", "/data"), "/data:\nof-before\n\n/state:\nof-before");
    const aliases = Object.entries(now.NetworkSettings.Networks).map(([network, { Aliases }]) => [
      network,
      (Aliases ?? []).filter((alias) => !now.Id.startsWith(alias)),
    ]);
    assert.deepEqual(Object.fromEntries(aliases), { [`${prefix}-rich-front`]: ["shop"], [`${prefix}-rich-back`]: ["ledger"] });
    assert.match(await logs(name), /^version 2 my/);

    await paste(rollback);
    const back = await inspect(name);
    assert.equal(back.Config.Image, `${repository}@${digests.get("1")}`);
    assert.match(await logs(name), /^version 1 my/);
    assert.deepEqual(back.Config.Cmd, ["my", "command"]);
    assert.equal(await engine.docker("exec", name, "ls", "/state"), "of-before");
    assert.equal(await engine.docker("ps", "-aq", "--filter", `name=${name}`).then((ids) => ids.split("\n").length), 1);
  });

  test("what is not set manually comes from the new image", async () => {
    const name = `${containers.prefix}-plain`;
    await engine.docker(
      "run",
      "-d",
      "--name",
      name,
      "--label",
      `binnacle.test=${containers.prefix}`,
      "--network",
      "none",
      `${repository}:1`,
    );
    await paste((await commandsOf(name, "2")).update);
    const { Config } = await inspect(name);
    assert.deepEqual(Config.Cmd, ["by default 2"]);
    assert.ok(Config.Env.includes("APP_VERSION=2"));
    assert.equal(Config.Labels["app.version"], "2");
  });

  test("a container that was stopped stays so", async () => {
    const name = `${containers.prefix}-stopped`;
    await engine.docker("create", "--name", name, "--label", `binnacle.test=${containers.prefix}`, "--network", "none", `${repository}:1`);
    await paste((await commandsOf(name, "2")).update);
    const { Config, State } = await inspect(name);
    assert.equal(Config.Image, `${repository}:2`);
    assert.equal(State.Running, false);
  });

  test("an image that does not start leaves the old container running, under its name", async () => {
    const name = await startRich("kept");
    const earlier = await inspect(name);
    await assert.rejects(paste((await commandsOf(name, "broken")).update), /was left as it was/);
    const now = await inspect(name);
    assert.equal(now.Id, earlier.Id);
    assert.equal(now.State.Running, true);
    assert.equal(await engine.docker("ps", "-aq", "--filter", `name=${name}`), now.Id.slice(0, 12));
  });

  test("a container that removes itself is not touched", async () => {
    const name = `${containers.prefix}-passing`;
    await engine.docker(
      "run",
      "-d",
      "--rm",
      "--name",
      name,
      "--label",
      `binnacle.test=${containers.prefix}`,
      "--network",
      "none",
      `${repository}:1`,
    );
    await assert.rejects(paste((await commandsOf(name, "2")).update), /it removes itself when it stops/);
    assert.equal((await inspect(name)).State.Running, true);
  });

  for (const version of isLong() ? ["", 'version: "2.4"\n'] : [""]) {
    test(`a Compose service runs the new tag, and the old digest again (${version.trim() || "without a version"})`, async () => {
      const file = join(folder, `shop's file ${version.replace(/\W/g, "")}.yaml`);
      const service = [
        "services:",
        "  web:",
        `    image: "${repository}:1"`,
        "    environment:",
        '      SECRET: "s3"',
        "    depends_on: [db]",
      ];
      const other = ["  db:", `    image: "${repository}:1"`];
      await writeFile(file, `${version}${[...service, ...other].join("\n")}\n`);
      const project = createComposeProject(engine, file, {});
      try {
        await project.compose("up", "-d", "web");
        const name =
          (await engine.docker("ps", "--format", "{{.Names}}", "--filter", `label=com.docker.compose.project=${project.name}`))
            .split("\n")
            .find((found) => found.includes("web")) ?? "";
        const neighbour = await engine.docker("ps", "-q", "--filter", `name=${project.name}.db`);

        await paste((await commandsOf(name, "2")).update);
        assert.equal((await inspect(name)).Config.Image, `${repository}:2`);
        assert.match(await logs(name), /version 2/);
        assert.ok((await inspect(name)).Config.Env.includes("SECRET=s3"));

        // The labels now name the file that was handed over.
        await paste((await commandsOf(name, "2")).rollback);
        assert.equal((await inspect(name)).Config.Image, `${repository}@${digests.get("1")}`);
        assert.match(await logs(name), /version 1/);

        // The same tag: the file's own image again.
        await paste((await commandsOf(name, "1")).update);
        assert.equal((await inspect(name)).Config.Image, `${repository}:1`);
        assert.equal(await engine.docker("ps", "-q", "--filter", `name=${project.name}.db`), neighbour);
      } finally {
        await project.compose("down", "-v");
      }
    });
  }
});

interface Inspected {
  Id: string;
  State: { Running: boolean };
  Config: { Image: string; Cmd: string[]; Entrypoint: string[]; Env: string[]; Labels: Record<string, string>; Hostname: string };
  HostConfig: Record<string, unknown>;
  NetworkSettings: { Networks: Record<string, { Aliases: string[] | null }> };
}
