import assert from "node:assert/strict";
import type { Client } from "@grpc/grpc-js";
import { type AgentStream, batchWith, openAuthenticated, type TestAgent } from "./listener.ts";
import { sighting } from "./sightings.ts";
import { until } from "./until.ts";

/** An agent that does nothing but stream, while others misbehave: each batch after the acknowledgement of the one before. */
export interface Bystander {
  /** Fails unless its acknowledgements kept coming, and keep coming. */
  noticedNothing(during: string): Promise<void>;
  stop(): Promise<void>;
}

/** Who misbehaves works in this process too, and may hold it up for a while. */
const WITHIN_MS = 30_000;

export async function startBystander(client: Client, agent: TestAgent): Promise<Bystander> {
  const stream = await openAuthenticated(client, agent);
  let acknowledged = 0;
  let failure: unknown;
  let stopped = false;

  async function sendNext(seq: number): Promise<void> {
    const container = sighting({ externalId: "bystander", restartCount: seq });
    await stream.send(batchWith([{ kind: "container.seen", observedAt: new Date(), container }], { firstSeq: seq }));
    await ackOf(stream, seq);
    acknowledged += 1;
  }

  const streaming = (async () => {
    for (let seq = 1; !stopped; seq += 1) {
      await sendNext(seq);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })().catch((error: unknown) => {
    failure = error;
  });

  return {
    async noticedNothing(during) {
      const before = acknowledged;
      await until(() => failure !== undefined || acknowledged >= before + 3, {
        withinMs: WITHIN_MS,
        what: `acknowledgements during ${during}`,
      });
      assert.equal(failure, undefined, during);
    },
    async stop() {
      stopped = true;
      await streaming;
      stream.cancel();
    },
  };
}

async function ackOf(stream: AgentStream, seq: number): Promise<void> {
  const { case: kind, value } = await stream.next();
  assert.equal(kind, "ack");
  assert.equal(Number(value.lastSeq), seq);
}
