import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { TestContext } from "node:test";
import { type Client, status } from "@grpc/grpc-js";
import { publicKeyBytes } from "../../src/fleet/handshake.ts";
import type { ListenerLimits } from "../../src/fleet/listener/index.ts";
import type { RemoteLogs } from "../../src/fleet/seams.ts";
import { ServiceError } from "../../src/platform/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { startFleet, type TestFleet } from "./fleet.ts";
import { type OpenedHosts, openHosts } from "./hosts.ts";
import { connectClient, enroll, startListener, type TestAgent } from "./listener.ts";

/** All of a server that concerns agents, on a database: the listener before the real agents, enrollment, and monitoring of hosts. */
export interface FleetServer {
  clock: FakeClock;
  fleet: TestFleet;
  hosts: OpenedHosts;
  /** Whether the edition grants remote hosts. */
  rules: { granted: boolean };
  logs: RemoteLogs["logs"];
  /** How many streams are open. */
  streams(): number;
  port: number;
  client: Client;
  /** One more agent, enrolled over the wire. */
  enrolled(label?: string): Promise<TestAgent>;
  /** So much later, with what is due then done and saved. */
  later(ms: number): Promise<void>;
}

export async function startFleetServer(
  t: TestContext,
  database: Database,
  { limits = {}, eventsPerSecond = 100_000 }: { limits?: Partial<ListenerLimits>; eventsPerSecond?: number } = {},
): Promise<FleetServer> {
  const clock = createFakeClock(new Date());
  const hosts = await openHosts({ database, clock });
  const fleet = await startFleet({ database, clock, hosts: hosts.removal });
  const rules = { granted: true };
  const { listener, port } = await startListener(t, {
    agents: fleet.agents.register,
    register: fleet.enrollment.register,
    ingest: hosts.intake,
    requireEdition() {
      if (!rules.granted) throw new ServiceError("EDITION_REQUIRED", "Monitoring several hosts needs the Personal edition or above.");
    },
    eventsPerSecond,
    limits,
    clock,
  });
  fleet.agents.service.onRevoked((id, why) => listener.disconnect(id, why === "deleted" ? "listener_unavailable" : "agent_revoked"));
  t.after(async () => {
    await listener.stop();
    await fleet.stop();
    await hosts.stop();
  });
  const client = connectClient(t, port);
  return {
    ...{ clock, fleet, hosts, rules, port, client },
    logs: listener.logs,
    streams: listener.connected,
    async enrolled(label = "") {
      const { privateKey } = generateKeyPairSync("ed25519");
      const answer = await enroll(client, { token: await fleet.token(), publicKey: publicKeyBytes(privateKey), label });
      assert.equal(answer.status.code, status.OK);
      return { id: answer.response?.agentId ?? "", privateKey };
    },
    async later(ms) {
      await clock.advance(ms);
      // What the scheduler began is saved in a unit of the database, which a fake clock knows nothing of.
      await clock.advance(1000);
      await database.tables<object>().write(async () => {});
      await clock.advance(1000);
    },
  };
}
