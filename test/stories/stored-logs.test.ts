import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ContainerList, ContainerLogs } from "../../src/monitoring/containers/answers.ts";
import type { LogSearchResult } from "../../src/monitoring/logs/answers.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { until } from "../support/until.ts";

const WRITES = 'i=0; while :; do i=$((i+1)); echo "$0 line $i of it"; [ $((i % 50)) = 0 ] && sleep 0.1; done';

storyOnBothDatabases("a log that is stored", (databaseEnv) => {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program & { dataDir: string; port: number };
  let env: Record<string, string>;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    env = { ...(await databaseEnv()), SERVICE_DOCKER_HOST: engine.host, SERVICE_LOG_RETENTION: "1h" };
    program = await startProgram({ env });
  });
  after(async () => {
    await program.stop();
    await containers.removeAll();
    await engine.stop();
  });

  /** The numbers of all lines of a container that are found, in their order. */
  async function numbersOf(id: number, word: string): Promise<number[]> {
    const numbers: number[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const path = `/api/v1/logs/search?container_id=${id}&q=${word}%20LINE&order=oldest&limit=1000${page}`;
      const found: LogSearchResult = await program.get<LogSearchResult>(path);
      assert.deepEqual(found.gaps, []);
      numbers.push(...found.lines.map(({ text }) => Number(/line (\d+) of it/.exec(text)?.[1])));
      cursor = found.next_cursor;
    }
    return numbers;
  }
  const countUpTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

  it("has each line once over kills of the program and outlives its container", async () => {
    const name = `${containers.prefix}-shop`;
    await containers.run("shop", [], "sh", "-c", WRITES, "first");
    const idOf = async (): Promise<number> => {
      const { groups } = await program.get<ContainerList>("/api/v1/containers");
      return groups.flatMap((group) => group.containers).find((each) => each.name === name)?.id ?? 0;
    };
    await until(async () => (await idOf()) > 0);
    const id = await idOf();
    await until(async () => (await numbersOf(id, "first")).length > 500);
    for (let kills = 0; kills < 2; kills += 1) {
      const found = (await numbersOf(id, "first")).length;
      await program.kill();
      program = await startProgram({ env, dataDir: program.dataDir, port: program.port });
      await until(async () => (await numbersOf(id, "first")).length > found + 500);
    }

    await engine.docker("stop", "-t", "0", name);
    const written = Number(/line (\d+) of it/.exec(await engine.docker("logs", "-n", "1", name))?.[1]);
    await until(async () => (await numbersOf(id, "first")).length >= written);
    assert.deepEqual(await numbersOf(id, "first"), countUpTo(written));

    await engine.docker("rm", name);
    await containers.run("shop", [], "sh", "-c", "echo second line 1 of it; sleep 3600");
    await until(async () => (await numbersOf(id, "second")).length === 1);
    await engine.docker("rm", "-f", name);
    await until(async () => (await idOf()) === 0);
    assert.deepEqual(await numbersOf(id, "first"), countUpTo(written));
    assert.deepEqual(await numbersOf(id, "second"), [1]);
    // Of the removed container itself the last lines are shown as for one that is there.
    const { lines, truncated } = await program.get<ContainerLogs>(`/api/v1/containers/${id}/logs?lines=3`);
    const expected = [`first line ${written - 1} of it`, `first line ${written} of it`, "second line 1 of it"];
    assert.deepEqual([lines.map(({ text }) => text), truncated], [expected, true]);
  });
});
