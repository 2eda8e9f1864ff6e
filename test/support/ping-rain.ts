import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Agent, type ClientRequest, request } from "node:http";
import type { HeartbeatRecord, PingList } from "../../src/monitoring/heartbeats/answers.ts";
import type { Chance } from "./chance.ts";

export const PINGS_A_SECOND = 1000;

/** A heartbeat of an hour or less, made from a separate address. */
export async function makeHeartbeat(url: string, index: number): Promise<HeartbeatRecord> {
  const answer = await fetch(`${url}/api/v1/heartbeats`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `10.255.0.${index}` },
    body: JSON.stringify({ name: `job ${index}`, interval_seconds: 60 }),
  });
  assert.equal(answer.status, 201);
  // The shape is the program's own.
  return (await answer.json()) as HeartbeatRecord;
}

/** Pings from many addresses at a steady rate, each with another rid, whoever is there to answer. */
export function startRain(
  { port, heartbeats, chance }: { port: number; heartbeats: readonly HeartbeatRecord[]; chance: Chance },
  answered: (rid: string, id: number) => void,
): { end(): number } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const startedMs = performance.now();
  const underWay = new Set<ClientRequest>();
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
    underWay.add(asked);
    asked.on("close", () => underWay.delete(asked));
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
      // Those that wait for a connection would be sent to the next program.
      for (const asked of underWay) asked.destroy();
      agent.destroy();
      return sent;
    },
  };
}

/** The rids of all pings that are kept of a heartbeat. */
export async function ridsOf(get: <Body>(path: string) => Promise<Body>, id: number): Promise<string[]> {
  const rids: string[] = [];
  for (let more = true; more;) {
    const { pings, has_more } = await get<PingList>(`/api/v1/heartbeats/${id}/pings?limit=1000&offset=${rids.length}`);
    rids.push(...pings.flatMap(({ rid }) => rid ?? []));
    more = has_more;
  }
  return rids;
}
