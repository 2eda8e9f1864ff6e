import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials, type StatusObject } from "@grpc/grpc-js";
import { publicKeyBytes, signChallenge } from "../../src/fleet/handshake.ts";
import { createListener, type Listener, type ListenerOptions } from "../../src/fleet/listener/index.ts";
import type { AgentHello, KnownAgent, Registration, SpoolStatus } from "../../src/fleet/seams.ts";
import {
  type AgentMessage,
  AgentMessageSchema,
  encodeEvent,
  INGEST_SERVICE,
  type ListingPart,
  type RegisterAgentResponse,
  RegisterAgentRequestSchema,
  RuntimeKind,
  type ServerMessage,
  takeBatch,
} from "../../src/fleet/wire/index.ts";
import { toContainer } from "../../src/fleet/wire/container.ts";
import { EventSchema } from "../../src/fleet/wire/gen/service/agent/v1/ingest_pb.ts";
import type { Observation } from "../../src/observations.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { ServiceError } from "../../src/platform/errors.ts";
import { silentLog } from "../../src/platform/log.ts";

/** The calls of the listener to the rest of the program, in order. */
export interface Calls {
  connected: { agentId: string; hello: AgentHello; offsetMs: number }[];
  disconnected: string[];
  spool: { agentId: string; status: SpoolStatus }[];
  clocks: { agentId: string; offsetMs: number }[];
  listingsDropped: string[];
  seen: Map<string, number>;
  registrations: Registration[];
  saved: { agentId: string; door: "live" | "replay"; observations: readonly Observation[] }[];
}

export interface ListenerWorld {
  listener: Listener;
  calls: Calls;
  known: Map<string, KnownAgent>;
  /** What a test may set: before a save, before an agent is found, whether the edition grants remote hosts. */
  rules: { save: () => Promise<void> | void; find: () => Promise<void> | void; granted: boolean };
  /** Enrolls an agent without the wire. */
  agent(): TestAgent;
  port: number;
}

export interface TestAgent {
  id: string;
  privateKey: KeyObject;
}

/** A listener on loopback with agents and an ingest in memory. */
export async function startListener(t: TestContext, options: Partial<ListenerOptions> = {}): Promise<ListenerWorld> {
  const known = new Map<string, KnownAgent>();
  const calls: Calls = {
    connected: [],
    disconnected: [],
    spool: [],
    clocks: [],
    listingsDropped: [],
    seen: new Map(),
    registrations: [],
    saved: [],
  };
  const rules: ListenerWorld["rules"] = { save: () => undefined, find: () => undefined, granted: true };
  const save = (door: "live" | "replay") => async (agentId: string, observations: readonly Observation[]) => {
    await rules.save();
    calls.saved.push({ agentId, door, observations });
  };
  const listener = createListener({
    listen: { host: "127.0.0.1", port: 0 },
    tls: { kind: "insecure" },
    proxies: { includes: () => false },
    agents: {
      async find(agentId) {
        const agent = known.get(agentId);
        await rules.find();
        return agent;
      },
      connected: (agentId, hello, offsetMs) => void calls.connected.push({ agentId, hello, offsetMs }),
      taking: () => () => undefined,
      disconnected: (agentId) => void calls.disconnected.push(agentId),
      seen: (agentId, events) => void calls.seen.set(agentId, (calls.seen.get(agentId) ?? 0) + events),
      spool: (agentId, status) => void calls.spool.push({ agentId, status }),
      clock: (agentId, offsetMs) => void calls.clocks.push({ agentId, offsetMs }),
      listingDropped: (agentId) => void calls.listingsDropped.push(agentId),
    },
    async register(registration) {
      calls.registrations.push(registration);
      if (registration.token !== "svc_enr_right") throw new ServiceError("token_invalid", "No such enrollment token.");
      const agentId = randomUUID();
      known.set(agentId, { status: "active", publicKey: registration.publicKey });
      return { agentId, label: registration.label || registration.hello.hostname };
    },
    ingest: { live: save("live"), replay: save("replay") },
    requireEdition() {
      if (!rules.granted) throw new ServiceError("EDITION_REQUIRED", "Monitoring several hosts needs the Personal edition or above.");
    },
    eventsPerSecond: 100_000,
    version: "1.2.3",
    clock: systemClock,
    log: silentLog,
    ...options,
  });
  await listener.start();
  t.after(() => listener.stop());
  const agent = (): TestAgent => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const id = randomUUID();
    known.set(id, { status: "active", publicKey: publicKeyBytes(privateKey) });
    return { id, privateKey };
  };
  return { listener, calls, known, rules, agent, port: listener.address()?.port ?? 0 };
}

/** The agent's end of a stream, driven by the test. */
export interface AgentStream {
  /** The next message of the server; throws when the stream ends before. */
  next(): Promise<ServerMessage["body"]>;
  send(message: AgentMessage["body"] | Uint8Array): Promise<void>;
  /** How it ended, with the code of the refusal. */
  ended: Promise<{ status: StatusObject; code: string | undefined }>;
  /** Goes away without a word. */
  cancel(): void;
  half(): void;
}

export function openStream(client: Client): AgentStream {
  const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.push;
  const call: ClientDuplexStream<AgentMessage | Uint8Array, ServerMessage> = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
  );
  const arrived: ServerMessage["body"][] = [];
  let wake = (): void => undefined;
  let over = false;
  call.on("data", ({ body }: ServerMessage) => {
    arrived.push(body);
    wake();
  });
  call.on("error", () => undefined);
  const ended = new Promise<Awaited<AgentStream["ended"]>>((resolve) => {
    call.on("status", (status: StatusObject) => {
      over = true;
      wake();
      resolve({ status, code: status.metadata.get("service-code")[0]?.toString() });
    });
  });
  return {
    ended,
    async next() {
      while (arrived.length === 0) {
        if (over) throw new Error(`the stream ended: ${JSON.stringify((await ended).status)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return arrived.shift() as ServerMessage["body"];
    },
    send: (message) =>
      new Promise((resolve) => {
        call.write(message instanceof Uint8Array ? message : create(AgentMessageSchema, { body: message }), () => resolve());
      }),
    cancel: () => call.cancel(),
    half: () => call.end(),
  };
}

export function connectClient(t: TestContext, port: number, trust: ChannelCredentials = credentials.createInsecure()): Client {
  const client = new Client(`127.0.0.1:${port}`, trust, {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_send_message_length": -1,
    "grpc.ssl_target_name_override": "localhost",
  });
  t.after(() => client.close());
  return client;
}

export const DESCRIPTION = {
  version: "1.2.3",
  hostname: "far",
  os: "Debian 13",
  arch: "x64",
  runtime: RuntimeKind.DOCKER,
  capabilities: ["logs"],
};

/** The answer to a challenge, right unless the test says otherwise. */
export function answer(
  agent: TestAgent,
  nonce: Uint8Array,
  { offsetSeconds = 0n, id = agent.id, protocol = 1, now = new Date() } = {},
): Extract<AgentMessage["body"], { case: "authResponse" }> {
  const timestampSeconds = BigInt(Math.floor(now.getTime() / 1000)) + offsetSeconds;
  const signature = signChallenge({ nonce, agentId: id, timestampSeconds }, agent.privateKey);
  const value = { agentId: id, timestamp: timestampSeconds, signature, agent: DESCRIPTION, protocol };
  const message = create(AgentMessageSchema, { body: { case: "authResponse", value } });
  return message.body as Extract<AgentMessage["body"], { case: "authResponse" }>;
}

export async function nonceOf(stream: AgentStream): Promise<Uint8Array> {
  const body = await stream.next();
  if (body.case !== "authChallenge") throw new Error(`not a challenge but ${body.case}`);
  return body.value.nonce;
}

/** A stream that is authenticated and welcomed. */
export async function openAuthenticated(client: Client, agent: TestAgent, how: { now?: Date } = {}): Promise<AgentStream> {
  const stream = openStream(client);
  await stream.send(answer(agent, await nonceOf(stream), how));
  const body = await stream.next();
  if (body.case !== "welcome") throw new Error(`not a welcome but ${body.case}`);
  return stream;
}

/** The bytes of a message with a batch of so many removals of containers. */
export function batchOf(count: number, { firstSeq = 1, replayed = false } = {}): Uint8Array {
  const gone = (_: unknown, index: number): Observation => ({
    kind: "container.gone",
    observedAt: new Date(),
    externalId: `c${firstSeq + index}`,
  });
  return batchWith(Array.from({ length: count }, gone), { firstSeq, replayed });
}

/** The bytes of a message with a batch of these. */
export function batchWith(observations: readonly Observation[], { firstSeq = 1, replayed = false } = {}): Uint8Array {
  const events = observations.map((observation, index) => {
    const seq = firstSeq + index;
    return { seq, bytes: encodeEvent({ seq, eventId: randomBytes(16), replayed, observation }) };
  });
  const taken = takeBatch(events, { maxEvents: 1_000_000, maxBytes: 100_000_000 });
  if (taken === undefined) throw new Error("a batch has events");
  return taken.message;
}

export interface EnrollFacts {
  token?: string;
  publicKey?: Uint8Array;
  label?: string;
  protocol?: number;
}

export function enroll(
  client: Client,
  { token = "svc_enr_right", publicKey = new Uint8Array(32), label = "", protocol = 1 }: EnrollFacts = {},
) {
  const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.registerAgent;
  const request = create(RegisterAgentRequestSchema, { enrollmentToken: token, publicKey, label, agent: DESCRIPTION, protocol });
  return new Promise<{ response: RegisterAgentResponse | undefined; status: StatusObject; code: string | undefined }>((resolve) => {
    let response: RegisterAgentResponse | undefined;
    const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (_error, value) => {
      response = value;
    });
    call.on("status", (status: StatusObject) =>
      setImmediate(() => resolve({ response, status, code: status.metadata.get("service-code")[0]?.toString() })),
    );
  });
}

/** The bytes of a message with one part of a listing, as true as the test says. */
export function listingPart({ seq, observedAt, containers, ...part }: { seq: number } & ListingPart): Uint8Array {
  const value = { ...part, listing: BigInt(part.listing), containers: containers.map(toContainer) };
  const event = create(EventSchema, {
    seq: BigInt(seq),
    eventId: randomBytes(16),
    observedAtMs: BigInt(observedAt.getTime()),
    body: { case: "containerInventoryPart", value },
  });
  const taken = takeBatch([{ seq, bytes: toBinary(EventSchema, event) }]);
  if (taken === undefined) throw new Error("a batch has events");
  return taken.message;
}
