import assert from "node:assert/strict";
import { it } from "node:test";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { makeHeartbeat, PINGS_A_SECOND, ridsOf, startRain } from "../support/ping-rain.ts";
import { startProgram } from "../support/program.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";

const KILLS = repetitions({ gate: 2, long: 20 });
const HEARTBEATS = 40;

/** The program is killed again and again under a rain of pings; every ping that was answered must be there afterwards, once. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  it(`keeps every ping that it answered, killed ${KILLS} times under ${PINGS_A_SECOND} pings a second`, async (context) => {
    const chance = chanceOf(context);
    const env = {
      SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock",
      SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
      ...(await databaseEnv()),
    };
    let program = await startProgram({ env });
    const { dataDir, port } = program;
    try {
      const made = await Promise.all(Array.from({ length: HEARTBEATS }, (_, index) => makeHeartbeat(program.url, index)));
      const answered = new Map<string, number>();
      let sent = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const rain = startRain({ port, heartbeats: made, chance }, (rid, id) => answered.set(rid, id));
        // Another moment each time.
        await new Promise((resolve) => setTimeout(resolve, 500 + chance.below(1000)));
        await program.kill();
        sent += rain.end();
        program = await startProgram({ env, dataDir, port });
      }
      const kept = new Map<string, number>();
      for (const { id } of made) {
        for (const rid of await ridsOf(program.get, id)) {
          assert.ok(!kept.has(rid), "kept twice");
          kept.set(rid, id);
        }
      }
      context.diagnostic(`${sent} sent, ${answered.size} answered, ${kept.size} kept`);
      const lost = [...answered].filter(([rid, id]) => kept.get(rid) !== id);
      assert.equal(lost.length, 0, `${lost.length} of ${answered.size} lost`);
      // How many a busy machine answers is not what is asked here.
      assert.ok(answered.size > KILLS * 10, "there was a rain");
      assert.equal(await program.stop(), 0);
    } finally {
      await program.kill();
    }
  });
}

storyOnBothDatabases("a rain of pings", story, "postgresql");
