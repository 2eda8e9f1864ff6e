import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { it } from "node:test";
import type { HeartbeatRecord, PingList } from "../../src/monitoring/heartbeats/api.ts";
import type { Chance } from "../support/chance.ts";
import { storyOnBothDatabases } from "../support/databases.ts";
import { startProgram } from "../support/program.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";

const KILLS = repetitions({ gate: 6, long: 20 });
const HEARTBEATS = 40;
const PINGS_A_SECOND = 1000;

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
      assert.ok(answered.size > KILLS * 100, "there was a rain");
      assert.equal(await program.stop(), 0);
    } finally {
      await program.kill();
    }
  });
}

async function makeHeartbeat(url: string, index: number): Promise<HeartbeatRecord> {
  const answer = await fetch(`${url}/api/v1/heartbeats`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `10.255.0.${index}` },
    body: JSON.stringify({ name: `job ${index}`, interval_seconds: 60 }),
  });
  assert.equal(answer.status, 201);
  // The shape is the program's own.
  return (await answer.json()) as HeartbeatRecord;
}

/** Pings from many addresses at a steady rate, each with a rid of its own, whoever is there to answer. */
function startRain(
  { port, heartbeats, chance }: { port: number; heartbeats: readonly HeartbeatRecord[]; chance: Chance },
  answered: (rid: string, id: number) => void,
): { end(): number } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const startedMs = performance.now();
  let sent = 0;

  function send(): void {
    const { id, uuid } = heartbeats[sent % heartbeats.length] ?? assert.fail("no heartbeat");
    const rid = randomUUID();
    const asked = request({
      agent,
      port,
      host: "127.0.0.1",
      path: `/ping/${uuid}/${["0", "1", "start", "log"][chance.below(4)]}?rid=${rid}`,
      headers: { "x-forwarded-for": `10.${(sent >> 16) % 256}.${(sent >> 8) % 256}.${sent % 256}` },
    });
    asked.on("response", (response) => {
      if (response.statusCode === 200) answered(rid, id);
      response.resume();
    });
    // Nobody is there any more.
    asked.on("error", () => undefined);
    asked.end();
    sent += 1;
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1000) * PINGS_A_SECOND;
    while (sent < due) send();
  }, 5);
  return {
    end() {
      clearInterval(timer);
      agent.destroy();
      return sent;
    },
  };
}

async function ridsOf(get: <Body>(path: string) => Promise<Body>, id: number): Promise<string[]> {
  const rids: string[] = [];
  for (let more = true; more;) {
    const { pings, has_more } = await get<PingList>(`/api/v1/heartbeats/${id}/pings?limit=1000&offset=${rids.length}`);
    rids.push(...pings.flatMap(({ rid }) => rid ?? []));
    more = has_more;
  }
  return rids;
}

storyOnBothDatabases("a rain of pings", story, "postgresql");
