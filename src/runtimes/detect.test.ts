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
});
