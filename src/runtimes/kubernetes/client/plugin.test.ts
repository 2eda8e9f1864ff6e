import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { turnUntil } from "../../../../test/support/turn-until.ts";
import { until } from "../../../../test/support/until.ts";
import { type Clock, systemClock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import { type ClusterAccess, type CredentialPlugin, NO_IDENTITY } from "./access.ts";
import { type PluginCredentials, runPlugin } from "./credentials.ts";

const MIB = 1024 * 1024;
const CREDENTIALS = JSON.stringify({
  kind: "ExecCredential",
  status: { token: "secret-token", expirationTimestamp: "2026-03-01T13:00:00Z" },
});

const access: ClusterAccess = {
  ...{ address: "https://10.0.0.1:6443", origin: "context test of a test", host: "10.0.0.1", port: 6443, isTls: true, basePath: "" },
  ...{ namespace: null, authority: null, isVerified: true, serverName: null, identity: NO_IDENTITY },
};

/** Runs a script of Node as the plug-in. */
function run(script: string, { clock = systemClock, ...changes }: Partial<CredentialPlugin> & { clock?: Clock } = {}) {
  const plugin: CredentialPlugin = {
    ...{ apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args: ["-e", script] },
    ...{ environment: { CREDENTIALS }, cluster: null, installHint: null },
    ...changes,
  };
  return runPlugin(plugin, { access, authority: "an authority", clock });
}

async function fails(running: Promise<PluginCredentials>, message: RegExp): Promise<void> {
  await assert.rejects(running, (error) => {
    assert.ok(isServiceError(error, "runtime_unavailable"), String(error));
    assert.match(error.message, message);
    assert.ok(!error.message.includes("secret-token"), "the token is in the message");
    return true;
  });
}

/** One that ended and was not collected yet does not count. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Prints the credentials, filled up with spaces to a size. */
const printed = (bytes: number): string => `process.stdout.write(process.env.CREDENTIALS.padEnd(${bytes}))`;

describe("the exec plug-in of a kubeconfig", () => {
  it("gives what it printed, in however many pieces", async () => {
    const expected = { token: "secret-token", certificate: null, expiresAt: new Date("2026-03-01T13:00:00Z") };
    assert.deepEqual(await run(printed(0)), expected);
    const pieces = `const half = process.env.CREDENTIALS.length / 2;
      process.stdout.write(process.env.CREDENTIALS.slice(0, half));
      setTimeout(() => process.stdout.write(process.env.CREDENTIALS.slice(half)), 50);`;
    assert.deepEqual(await run(pieces), expected);
  });

  it("may print 1 MiB, and no byte more", async () => {
    assert.equal((await run(printed(MIB))).token, "secret-token");
    await fails(run(printed(MIB + 1)), /printed more than 1048576 bytes\.$/);
  });

  it("learns which cluster it is for, and nothing of this process that was not given to it", async () => {
    const script = `const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      const status = { token: [spec.cluster.server, spec.interactive, Object.keys(process.env).sort().join()].join("|") };
      process.stdout.write(JSON.stringify({ kind: "ExecCredential", status }))`;
    const { token } = await run(script, { cluster: { server: "https://10.0.0.1:6443" } });
    assert.equal(token, "https://10.0.0.1:6443|false|CREDENTIALS,KUBERNETES_EXEC_INFO");
  });

  it("that fails is quoted by what it says of it, never by what it printed", async () => {
    await fails(run(`${printed(0)}; console.error("log in first"); process.exitCode = 3`), /ended with code 3: log in first$/);
    await fails(run(`console.log("secret-token")`), /printed no ExecCredential \(it is no such object\)\.$/);
    await fails(run("", { command: "/nowhere/login", installHint: "Get it from the shop." }), /cannot be run: .* Get it from the shop\.$/);
  });

  it("that does not finish within 30 seconds is ended, with what it started", async () => {
    const path = join(temporaryFolder(), "started");
    const clock = createFakeClock();
    let failure: unknown;
    const script = `const forever = ["-e", "setInterval(() => undefined, 1000)"];
      const { pid } = require("node:child_process").spawn(process.execPath, forever);
      require("node:fs").writeFileSync(${JSON.stringify(path)}, String(pid));`;
    run(script, { clock }).catch((error: unknown) => (failure = error));
    const pid = await until(() => (existsSync(path) ? Number(readFileSync(path, "utf8")) : undefined));
    assert.ok(isRunning(pid));
    await clock.advance(29_000);
    assert.equal(failure, undefined);
    await turnUntil(clock, () => failure !== undefined, { stepMs: 1000, mostMs: 1000 });
    await fails(Promise.reject(failure), /did not finish within 30 s\. Run it manually to see why\.$/);
    await until(() => !isRunning(pid));
  });
});
