import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList, TransitionList } from "../../src/monitoring/containers/answers.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { startPostgres } from "../support/postgres.ts";
import { type Program, startProgram } from "../support/program.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);

describe("a database that goes away while the program runs", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
  });
  after(async () => {
    await containers?.removeAll();
    await engine?.stop();
  });

  async function find(program: Program, externalId: string): Promise<ContainerRecord> {
    return until(
      async () => {
        const { groups } = await program.get<ContainerList>("/api/v1/containers");
        return groups.flatMap((group) => group.containers).find((each) => each.external_id === externalId);
      },
      { everyMs: 50 },
    );
  }

  async function states(program: Program, id: number): Promise<string[]> {
    return (await program.get<TransitionList>(`/api/v1/containers/${id}/transitions`)).transitions
      .map((each) => each.new_state)
      .toReversed();
  }

  it("PostgreSQL: answers storage_unavailable, stays healthy, recovers, and has lost nothing it saw meanwhile", async () => {
    const postgres = await startPostgres();
    const program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_DATABASE_URL: postgres.url } });
    try {
      const externalId = await containers.run("gone-pg");
      const { id } = await find(program, externalId);
      await postgres.kill();
      await engine.docker("pause", externalId);
      await engine.docker("unpause", externalId);
      await engine.docker("kill", externalId);
      const answer = await fetch(`${program.url}/api/v1/containers/${id}/transitions`);
      const body = (await answer.json()) as { error: { code: string } };
      assert.deepEqual([answer.status, body.error.code], [503, "storage_unavailable"]);
      assert.equal((await fetch(`${program.url}/api/v1/health`)).status, 200);
      await until(async () => (await fetch(`${program.url}/api/v1/ready`)).status === 503, { everyMs: 100 });
      await postgres.restart();
      await until(async () => (await fetch(`${program.url}/api/v1/ready`)).status === 200, { everyMs: 100 });
      await until(async () => (await states(program, id)).at(-1) === "exited", { everyMs: 100 });
      assert.deepEqual((await states(program, id)).slice(-4), ["running", "paused", "running", "exited"]);
      assert.equal(await program.stop(), 0);
    } finally {
      await program.kill();
      await postgres.stop();
    }
  });

  it("SQLite on a full disk: still reads, stays healthy, and saves what it saw once there is room", async () => {
    const disk = mountSmallDisk(3);
    const { folder } = disk;
    const program = await startProgram({ dataDir: folder, env: { SERVICE_DOCKER_HOST: engine.host } });
    try {
      const externalId = await containers.run("gone-sqlite");
      const { id } = await find(program, externalId);
      await run("dd", ["if=/dev/zero", `of=${folder}/filler`, "bs=4k"]).catch(() => undefined);
      // The write-ahead log has separate room: fill that too.
      const ready = async (): Promise<boolean> => (await fetch(`${program.url}/api/v1/ready`)).status === 200;
      await until(
        async () => {
          await engine.docker("pause", externalId);
          await engine.docker("unpause", externalId);
          return !(await ready());
        },
        { withinMs: 120_000 },
      );
      assert.ok((await states(program, id)).length > 0);
      assert.equal((await fetch(`${program.url}/api/v1/health`)).status, 200);
      await engine.docker("kill", externalId);
      await run("rm", [join(folder, "filler")]);
      await until(ready, { everyMs: 100 });
      await until(async () => (await states(program, id)).at(-1) === "exited", { everyMs: 100 });
      const reported = await states(program, id);
      for (const [index, state] of reported.entries()) assert.notEqual(state, reported[index - 1]);
      assert.equal(await program.stop(), 0);
    } finally {
      await program.kill();
      disk.remove();
    }
  });
});
