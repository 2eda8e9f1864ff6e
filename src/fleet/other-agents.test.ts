import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { onBothDatabases } from "../../test/support/databases.ts";
import { checkedObservation, failure, labelled } from "../../test/support/endpoints.ts";
import { startFleetServer } from "../../test/support/fleet-server.ts";
import { type AgentStream, batchOf, batchWith, openAuthenticated } from "../../test/support/listener.ts";
import { sampled } from "../../test/support/readings.ts";
import { allRows } from "../../test/support/rows.ts";
import { sighting } from "../../test/support/sightings.ts";
import { labelEndpointKey, type Observation, TICK_MS } from "../observations.ts";
import { isServiceError } from "../platform/errors.ts";
import { EventSchema } from "./wire/gen/service/agent/v1/ingest_pb.ts";
import { CommandResultSchema, encodeAgentMessage } from "./wire/index.ts";
import { linesOf } from "../../test/support/log-batches.ts";

const LABEL = "service.endpoint.http";

async function ackOf(stream: AgentStream): Promise<number> {
  const { case: kind, value } = await stream.next();
  assert.equal(kind, "ack");
  return Number(value.lastSeq);
}

/** A message of the wire with one more field, of a number that nobody knows. */
function withField(message: Uint8Array, text: string): Uint8Array {
  const more = new BinaryWriter().tag(99, WireType.LengthDelimited).string(text).finish();
  return Buffer.concat([message, more]);
}

describe("an event", () => {
  it("has no field that could name an agent or a host, but for what the host calls itself", () => {
    const seen = new Set<string>();
    const fields: string[] = [];
    const walk = (message: DescMessage): void => {
      if (seen.has(message.typeName)) return;
      seen.add(message.typeName);
      for (const field of message.fields) {
        fields.push(`${message.name}.${field.name}`);
        if (field.message !== undefined) walk(field.message);
      }
    };
    walk(EventSchema);
    assert.ok(fields.length > 100);
    // A port is published on an address of the host; a certificate is of a name.
    const harmless = [
      "Port.host_port",
      "Port.host_ip",
      "Event.host_watched",
      "Event.host_sampled",
      "CertificateScanned.hostname_match",
      "SwarmPort.host_mode",
    ];
    assert.deepEqual(
      fields.filter((name) => /agent|host/.test(name) && !harmless.includes(name)),
      // What a swarm calls its nodes leads to no host of ours.
      ["HostSampled.hostname", "SwarmNode.hostname"],
    );
  });
});

onBothDatabases((databases) => {
  const shown = (externalId: string, facts = {}) => sighting({ externalId, name: externalId, endpoints: [labelled(LABEL)], ...facts });
  const tick = (): Date => new Date(Math.floor(Date.now() / TICK_MS) * TICK_MS);

  /** All that one can say of a container. */
  function everythingOf(externalId: string): Observation[] {
    const observedAt = new Date();
    return [
      { kind: "container.seen", observedAt, container: shown(externalId, { state: "exited", exitCode: 137, image: "evil" }) },
      { kind: "container.last_words", observedAt, externalId, endedAt: observedAt, snippet: "evil" },
      checkedObservation(labelEndpointKey(externalId, LABEL), observedAt, failure),
      sampled(tick(), { [externalId]: { cpuPercent: 99, memoryBytes: 9e9 } }),
      { kind: "host.watched", since: new Date(observedAt.getTime() - 1000), observedAt },
    ];
  }

  it("an agent that reports another's containers changes only its own, live and replayed", async (t) => {
    const database = await databases.create();
    const { enrolled, client, hosts } = await startFleetServer(t, database);
    const [mine, theirs] = [await enrolled("mine"), await enrolled("theirs")];
    const other = await openAuthenticated(client, theirs);
    await other.send(batchWith([{ kind: "container.seen", observedAt: new Date(), container: shown("c0") }]));
    await other.send(
      batchWith(
        [sampled(tick(), { c0: { cpuPercent: 5, memoryBytes: 1e6 } }), checkedObservation(labelEndpointKey("c0", LABEL), new Date())],
        { firstSeq: 2 },
      ),
    );
    for (const seq of [1, 3]) assert.equal(await ackOf(other), seq);
    const before = await allRows(database, databases.name);
    const seenBefore = hosts.containers.present.find(theirs.id, "c0");
    assert.ok(seenBefore);

    const stream = await openAuthenticated(client, mine);
    await stream.send(batchWith(everythingOf("c0")));
    await stream.send(batchWith(everythingOf("c0"), { firstSeq: 100, replayed: true }));
    await stream.send(batchWith([{ kind: "container.gone", observedAt: new Date(), externalId: "c0" }], { firstSeq: 200 }));
    await stream.send(batchWith([{ kind: "container.inventory", observedAt: new Date(), containers: [] }], { firstSeq: 201 }));
    for (const seq of [5, 104, 200, 201]) assert.equal(await ackOf(stream), seq);

    assert.deepEqual(hosts.containers.present.find(theirs.id, "c0"), seenBefore);
    const after = await allRows(database, databases.name);
    for (const [table, rows] of before)
      // Who they are is not what they see.
      for (const row of table === "agents" ? [] : rows)
        assert.ok(
          after.get(table)?.some((each) => isDeepStrictEqual(each, row)),
          `${table}: ${JSON.stringify(row)} has changed`,
        );
    const owners = (after.get("containers") ?? []).map((row) => row["agent_id"]);
    assert.deepEqual(new Set(owners), new Set([mine.id, theirs.id]));
  });

  it("another agent's id in fields that there are not is not read", async (t) => {
    const { enrolled, client, hosts } = await startFleetServer(t, await databases.create());
    const [mine, theirs] = [await enrolled(), await enrolled()];
    const event = toBinary(
      EventSchema,
      create(EventSchema, {
        seq: 1n,
        eventId: randomBytes(16),
        observedAtMs: BigInt(Date.now()),
        body: { case: "containerGone", value: { externalId: "x" } },
      }),
    );
    const seen = batchWith([{ kind: "container.seen", observedAt: new Date(), container: shown("c1") }], { firstSeq: 2 });
    const stream = await openAuthenticated(client, mine);
    const batch = new BinaryWriter().uint32(8).uint64(1).uint32(18).bytes(withField(event, theirs.id)).finish();
    await stream.send(new BinaryWriter().uint32(18).bytes(withField(batch, theirs.id)).finish());
    await stream.send(withField(seen, theirs.id));
    for (const seq of [1, 2]) assert.equal(await ackOf(stream), seq);
    assert.ok(hosts.containers.present.find(mine.id, "c1"));
    assert.deepEqual([...hosts.containers.present.hosts()], [mine.id]);
  });

  it("an answer to a command of another agent's stream is nobody's", async (t) => {
    const server = await startFleetServer(t, await databases.create());
    const [mine, theirs] = [await server.enrolled(), await server.enrolled()];
    const [stream, other] = [await openAuthenticated(server.client, mine), await openAuthenticated(server.client, theirs)];
    const reading = (async () => {
      const texts: string[] = [];
      const signal = new AbortController().signal;
      for await (const { text } of linesOf(server.logs(theirs.id, { externalId: "c0", tail: 5, follow: false, signal }))) texts.push(text);
      return texts;
    })();
    const { case: kind, value } = await other.next();
    assert.equal(kind, "command");
    const { commandId } = value;
    const lines = (text: string) =>
      encodeAgentMessage({
        case: "commandResult",
        value: create(CommandResultSchema, { commandId, body: { case: "logLines", value: { lines: [{ text }] } } }),
      });
    const end = encodeAgentMessage({
      case: "commandResult",
      value: create(CommandResultSchema, { commandId, body: { case: "end", value: {} } }),
    });
    await stream.send(lines("forged"));
    await stream.send(end);
    await stream.send(batchOf(1));
    assert.equal(await ackOf(stream), 1);
    await other.send(lines("true"));
    await other.send(end);
    assert.deepEqual(await reading, ["true"]);
    await assert.rejects(
      (async () => {
        const signal = new AbortController().signal;
        for await (const _ of server.logs("0b9c54a0-0000-4000-8000-00000000000a", { externalId: "c0", tail: 5, follow: false, signal }));
      })(),
      (error) => isServiceError(error, "agent_offline"),
    );
  });
});
