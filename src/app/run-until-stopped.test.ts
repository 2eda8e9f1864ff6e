import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";

/** Ends cleanly, or not, as its argument says. */
const PROGRAM = `
  import { silentLog } from "${new URL("../platform/log.ts", import.meta.url).href}";
  import { runUntilStopped } from "${new URL("run-until-stopped.ts", import.meta.url).href}";
  const unclean = process.argv.slice(1);
  if (unclean.includes("silent database")) setInterval(() => {}, 1000);
  const start = async () => console.log("started");
  const stop = async () => (console.log("stopped"), unclean);
  process.exitCode = await runUntilStopped({ start, stop }, silentLog);
`;

async function run(signal: NodeJS.Signals, ...unclean: string[]): Promise<{ code: unknown; killedBy: unknown; output: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM, "--", ...unclean], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 20_000,
  });
  const exited = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdout.once("data", () => child.kill(signal));
  const [code, killedBy] = (await exited) as unknown[];
  return { code, killedBy, output };
}

describe("a program that runs until it is stopped", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    it(`stops its parts at ${signal}, and ends with 0`, async () => {
      assert.deepEqual(await run(signal), { code: 0, killedBy: null, output: "started\nstopped\n" });
    });

  it("ends with 1 when a part did not stop cleanly", async () => {
    assert.deepEqual(await run("SIGTERM", "database"), { code: 1, killedBy: null, output: "started\nstopped\n" });
  });

  it("ends also while a part that did not stop still waits for something", async () => {
    assert.deepEqual(await run("SIGTERM", "silent database"), { code: 1, killedBy: null, output: "started\nstopped\n" });
  });
});
