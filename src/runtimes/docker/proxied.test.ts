import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type EngineAnswers, startEngineAnswers } from "../../../test/support/engine-answers.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Runtime } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

const ID = "a".repeat(64);
const INDEX = `sha256:${"d".repeat(64)}`;
const signal = new AbortController().signal;
const running = { Status: "running", Running: true, Pid: 10, StartedAt: "2026-03-01T12:00:00Z", FinishedAt: "0001-01-01T00:00:00Z" };
const container = { Id: ID, Name: "/web", Image: INDEX, State: running, Config: { Image: "docker.io/library/app:1" }, HostConfig: {} };

describe("an engine by recorded answers", () => {
  const cleanup: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const undo of cleanup.splice(0).reverse()) await undo();
  });

  async function start(answers: Record<string, unknown>): Promise<{ engine: EngineAnswers; runtime: Runtime }> {
    const engine = await startEngineAnswers({
      "/_ping": "OK",
      "/version": { Version: "28.5.2", ApiVersion: "1.51", MinAPIVersion: "1.24" },
      "/info": { SystemTime: "2026-03-01T13:00:00Z" },
      "/events": 200,
      "/containers/json": [{ Id: ID }],
      [`/containers/${ID}/json`]: container,
      ...answers,
    });
    const runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
    cleanup.push(engine.close, () => runtime.close());
    return { engine, runtime };
  }
  const imagePath = `/images/${encodeURIComponent(INDEX)}/json`;
  const noImage = `/images/${encodeURIComponent(`sha256:${"0".repeat(64)}`)}/json`;

  it("behind a proxy that denies images is asked for them once, and says so", async () => {
    const { engine, runtime } = await start({ [imagePath]: 403, [noImage]: 403 });
    const { missing } = await runtime.describe(signal);
    assert.deepEqual(
      missing.map((sentence) => sentence.split(":")[0]),
      ["GET /images/{image}/json is denied"],
    );
    for (let listing = 0; listing < 5; listing += 1) await runtime.inventory(signal);
    assert.deepEqual(
      engine.asked.filter((path) => path.startsWith("/images/")),
      [noImage],
    );
  });

  it("behind a proxy that denies events reports that it takes asked stops for crashes", async () => {
    const { runtime } = await start({ "/events": 403 });
    const { missing, capabilities } = await runtime.describe(signal);
    assert.equal(capabilities.events, false);
    assert.match(missing.join(), /events is denied: .* a stop that a user asked for looks like a crash/);
  });

  for (const [name, info, measures] of [
    ["rootless Podman on cgroup v1", { CgroupVersion: "1", Rootless: true }, false],
    ["rootless Docker on cgroup v1", { CgroupVersion: "1", SecurityOptions: ["name=seccomp,profile=default", "name=rootless"] }, false],
    ["rootless Podman on cgroup v2", { CgroupVersion: "2", Rootless: true }, true],
    ["an engine of root on cgroup v1", { CgroupVersion: "1", Rootless: false, SecurityOptions: [] }, true],
  ] as const) {
    it(`as ${name} ${measures ? "has" : "has no"} resource figures`, async () => {
      const { runtime } = await start({ "/info": { SystemTime: "2026-03-01T13:00:00Z", ...info } });
      const { missing, capabilities } = await runtime.describe(signal);
      assert.deepEqual([capabilities.stats, missing.some((sentence) => sentence.includes("cgroup v1"))], [measures, !measures]);
    });
  }

  it("with the containerd image store knows an image by its digest in the registry", async () => {
    const { runtime } = await start({ [imagePath]: { Id: INDEX, RepoDigests: [`app@${INDEX}`], Os: "linux", Architecture: "amd64" } });
    const [seen] = (await runtime.inventory(signal)).containers;
    assert.deepEqual([seen?.imageDigest, seen?.imageId, seen?.imagePlatform], [INDEX, null, "linux/amd64"]);
  });

  it("reads the platform of an image that is gone from the descriptor of its manifest", async () => {
    const descriptor = { digest: `sha256:${"e".repeat(64)}`, platform: { os: "linux", architecture: "arm", variant: "v7" } };
    const { runtime } = await start({ [`/containers/${ID}/json`]: { ...container, ImageManifestDescriptor: descriptor } });
    const [seen] = (await runtime.inventory(signal)).containers;
    assert.deepEqual([seen?.imageDigest, seen?.imageId, seen?.imagePlatform], [INDEX, null, "linux/arm/v7"]);
  });
});
