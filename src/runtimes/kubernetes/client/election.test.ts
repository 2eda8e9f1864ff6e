import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { SECOND_MS } from "../../../contract/time.ts";
import { chanceOf } from "../../../../test/support/seed.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { until } from "../../../../test/support/until.ts";
import { silentLog } from "../../../platform/log.ts";
import type { ApiRefusal } from "./client.ts";
import { Election } from "./election.ts";

interface Lease {
  metadata: { resourceVersion: string };
  spec: { holderIdentity: string; leaseDurationSeconds: number; acquireTime: string; renewTime: string; leaseTransitions: number };
}

describe("the election of one of several agents", () => {
  let clock: FakeClock;
  /** As the API server has it. */
  let lease: Lease | undefined;
  let version: number;
  const elections = new Map<string, Election>();
  /** Who does not reach the API server. */
  const cut = new Set<string>();
  let refused: ApiRefusal | undefined;

  beforeEach(() => {
    clock = createFakeClock();
    [lease, version, refused] = [undefined, 0, undefined];
  });
  afterEach(async () => {
    cut.clear();
    refused = undefined;
    await Promise.all([...elections.values()].map((election) => election.stop()));
    elections.clear();
  });

  const refusal = (status: number, message: string): { refused: ApiRefusal } => ({ refused: { status, reason: null, message } });

  function write(method: "POST" | "PUT", body: Lease): { data: Lease } | { refused: ApiRefusal } {
    const isKnown = lease !== undefined;
    if (method === "POST" && isKnown) return refusal(409, "already exists");
    if (method === "PUT" && lease?.metadata.resourceVersion !== body.metadata.resourceVersion) return refusal(409, "was modified");
    lease = { ...body, metadata: { ...body.metadata, resourceVersion: String((version += 1)) } };
    return { data: lease };
  }

  function start(identity: string): Election {
    const reach = (): void => {
      if (cut.has(identity)) throw new Error("not reached");
    };
    const election = new Election({
      client: {
        address: "https://api.test",
        async read(schema) {
          reach();
          if (refused !== undefined) return { refused };
          return lease === undefined ? refusal(404, "not there") : { data: schema.parse(lease) };
        },
        async write(schema, method, _path, body) {
          reach();
          const answer = write(method, body as Lease);
          return "data" in answer ? { data: schema.parse(answer.data) } : answer;
        },
      },
      ...{ namespace: "monitoring", name: "binnacle-agent", identity, clock, log: silentLog },
    });
    elections.set(identity, election);
    election.start();
    return election;
  }
  const leaders = (): string[] => [...elections].filter(([, election]) => election.isLeader()).map(([identity]) => identity);
  const passes = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(SECOND_MS);
  };

  it("is won by the first, of whom the others know", async () => {
    start("a");
    await passes(1);
    const second = start("b");
    await passes(60);
    assert.deepEqual([leaders(), second.holder(), second.problem()], [["a"], "a", null]);
    assert.deepEqual([lease?.spec.leaseTransitions, lease?.spec.leaseDurationSeconds], [0, 30]);
  });

  it("goes to another one at once when the lease is given up", async () => {
    const first = start("a");
    await passes(1);
    start("b");
    await passes(1);
    await first.stop();
    assert.deepEqual([leaders(), lease?.spec.holderIdentity], [[], ""]);
    await passes(11);
    assert.deepEqual([leaders(), lease?.spec.leaseTransitions], [["b"], 1]);
  });

  it("ends for one that is cut off before another one takes over, and does not come back by itself", async () => {
    const changes: boolean[] = [];
    const first = start("a");
    first.onChange(() => changes.push(first.isLeader()));
    const stopListening = first.onChange(() => assert.fail("not called after it was removed"));
    stopListening();
    await passes(1);
    const second = start("b");
    await passes(5);
    assert.deepEqual([first.otherLeader(), second.otherLeader()], [null, "a"]);
    cut.add("a");
    let lastLed = 0;
    let firstLed = Infinity;
    for (let second_ = 0; second_ < 60; second_ += 1) {
      await passes(1);
      assert.ok(leaders().length <= 1);
      if (first.isLeader()) lastLed = second_;
      if (second.isLeader()) firstLed = Math.min(firstLed, second_);
    }
    assert.ok(lastLed < 20 && firstLed > lastLed && firstLed <= 45, `${lastLed} ${firstLed}`);
    assert.match(first.problem() ?? "", /not reached/);
    cut.clear();
    await passes(15);
    assert.deepEqual([leaders(), first.holder(), first.problem(), changes.at(-1)], [["b"], "b", null, false]);
  });

  it("goes by how long the lease does not change, not by the clocks of others", async () => {
    const past = new Date(clock.now().getTime() - 86_400_000).toISOString();
    write("POST", {
      metadata: { resourceVersion: "" },
      spec: { holderIdentity: "elsewhere", leaseDurationSeconds: 30, acquireTime: past, renewTime: past, leaseTransitions: 3 },
    });
    start("a");
    await passes(28);
    assert.deepEqual(leaders(), []);
    clock.jump(new Date(clock.now().getTime() + 3_600_000));
    await passes(15);
    assert.deepEqual([leaders(), lease?.spec.leaseTransitions], [["a"], 4]);
  });

  it("says what is missing where the lease may not be read or written, or its namespace is not there", async () => {
    refused = { status: 403, reason: "Forbidden", message: "no" };
    const first = start("a");
    await passes(1);
    assert.match(first.problem() ?? "", /may not get the lease binnacle-agent in the namespace monitoring\. Allow get, create and update/);
    assert.equal(first.isRefused(), true);
    refused = { status: 500, reason: null, message: "etcd is slow" };
    await passes(15);
    assert.match(first.problem() ?? "", /cannot be had: "etcd is slow" \(status 500\)/);
    assert.equal(first.isRefused(), false);
    refused = undefined;
    await passes(15);
    assert.deepEqual([leaders(), first.problem()], [["a"], null]);
    // What fails later ends it only when its time is over.
    refused = { status: 403, reason: "Forbidden", message: "no" };
    await passes(12);
    assert.deepEqual(leaders(), ["a"]);
    await passes(20);
    assert.deepEqual(leaders(), []);
  });

  it("never has two leaders, whoever is cut off and comes back", async (context) => {
    const chance = chanceOf(context);
    for (const identity of ["a", "b", "c"]) start(identity);
    let led = 0;
    for (let round = 0; round < 200; round += 1) {
      for (const identity of elections.keys()) {
        if (chance.next() < 0.1) cut.add(identity);
        else if (chance.next() < 0.2) cut.delete(identity);
      }
      await passes(1 + chance.below(8));
      assert.ok(leaders().length <= 1, `round ${round}: ${leaders().join()}`);
      led += leaders().length;
    }
    assert.ok(led > 20, `${led} rounds with a leader`);
    cut.clear();
    await until(async () => {
      await passes(5);
      return leaders().length === 1;
    });
  });
});
