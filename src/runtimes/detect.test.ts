import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "../platform/clock.ts";
import { StartError, isServiceError } from "../platform/errors.ts";
import { detectRuntime, searchSockets, usualSockets } from "./detect.ts";

const signal = new AbortController().signal;

describe("runtime detection", () => {
  it("takes the configured address as it is", () => {
    assert.equal(detectRuntime({ dockerHost: "tcp://host:1" }, systemClock).address, "tcp://host:1");
    assert.throws(() => detectRuntime({ dockerHost: "nonsense" }, systemClock), StartError);
  });

  it("tries the usual sockets in order", () => {
    assert.deepEqual(usualSockets({ xdgRuntimeDir: "/run/user/1", home: "/home/a" }), [
      "/var/run/docker.sock",
      "/run/user/1/docker.sock",
      "/home/a/.docker/run/docker.sock",
      "/run/podman/podman.sock",
      "/run/user/1/podman/podman.sock",
    ]);
    assert.deepEqual(usualSockets({}), ["/var/run/docker.sock", "/run/podman/podman.sock"]);
  });

  it("says what it looked for, and finds an engine that comes later", async () => {
    const folder = await mkdtemp(join(tmpdir(), "binnacle-detect-"));
    const socket = join(folder, "docker.sock");
    const runtime = searchSockets([join(folder, "none.sock"), socket], { clock: systemClock });
    await assert.rejects(
      runtime.describe(signal),
      (error) => isServiceError(error, "runtime_unavailable") && error.message.includes(`${socket} exists. Start Docker`),
    );
    assert.equal(runtime.address, "none found yet");
    const server = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await assert.rejects(
      runtime.inventory(signal),
      (error) => isServiceError(error, "runtime_unavailable") && /status 500/.test(error.message),
    );
    await assert.rejects(
      runtime.stats(signal),
      (error) => isServiceError(error, "runtime_unavailable") && /status 500/.test(error.message),
    );
    assert.equal(runtime.address, `unix://${socket}`);
    await runtime.close();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it("says what the engine that it found does not show", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "binnacle-detect-"));
    const socket = join(folder, "docker.sock");
    const server = createServer(({ url }, response) => {
      const isAllowed = url === "/_ping" || url === "/version";
      response.writeHead(isAllowed ? 200 : 403).end(JSON.stringify({ Version: "28.0.0", ApiVersion: "1.48" }));
    });
    const runtime = searchSockets([socket], { clock: systemClock });
    t.after(async () => {
      await runtime.close();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const { missing } = await runtime.describe(signal);
    assert.match(missing.join(), /GET \/containers\/json is denied: containers cannot be listed/);
    assert.deepEqual(runtime.missing?.(), missing);
  });
});
