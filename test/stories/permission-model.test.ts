import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { spawnStdio } from "../support/mcp-stdio.ts";
import { type Program, startProgram } from "../support/program.ts";

const DIST = join(import.meta.dirname, "../../dist");

describe("the bridge of assistants under Node's permission model", () => {
  let program: Program & { dataDir: string };

  before(async () => {
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
  });
  after(() => program?.stop());

  const bridgeThatReads = (...folders: string[]) =>
    spawnStdio([
      "--permission",
      ...folders.map((folder) => `--allow-fs-read=${folder}`),
      join(DIST, "main.js"),
      "--mcp-stdio",
      `--data-dir=${program.dataDir}`,
    ]);

  it("reads the program and the data folder, and needs nothing else", async () => {
    const bridge = bridgeThatReads(DIST, program.dataDir);
    await bridge.initialize();
    const { result } = await bridge.ask("tools/list");
    assert.ok(Array.isArray(result?.["tools"]) && result["tools"].length > 0);
    assert.equal(await bridge.end(), 0);
    assert.doesNotMatch(bridge.log(), /restricted|SecurityWarning/);
  });

  it("is restricted: without the program's folder it does not start", async () => {
    const bridge = bridgeThatReads(program.dataDir);
    assert.notEqual(await bridge.ended, 0);
    assert.match(bridge.log(), /restricted/);
  });
});
