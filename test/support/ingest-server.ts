import { type KeyObject, randomBytes, randomUUID } from "node:crypto";
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
  status as STATUS,
} from "@grpc/grpc-js";
import { publicKeyOf, verifyChallenge } from "../../src/fleet/handshake.ts";
import {
  type AgentMessage,
  type Command,
  type CommandResult,
  INGEST_SERVICE,
  type ReadBatch,
  readBatch,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  type ServerMessage,
  type SpoolStatus,
} from "../../src/fleet/wire/index.ts";

type Call = ServerDuplexStream<AgentMessage, ServerMessage>;
type Body = ServerMessage["body"];

/** A batch as it arrived. */
export interface Arrived extends ReadBatch {
  atMs: number;
}

export interface Refusal {
  grpc: keyof typeof STATUS;
  code: string;
  message?: string;
}

/** A server of the protocol that does what the test says. */
export interface IngestServer {
  port: number;
  /** Batches in the order of their arrival, over all streams. */
  batches: Arrived[];
  statuses: SpoolStatus[];
  results: CommandResult[];
  registrations: RegisterAgentRequest[];
  /** Streams that were welcomed. */
  streams: number;
  /** How many attempts there were, refused ones too. */
  attempts: number;
  /** Refuses each stream, or each registration, while it is set. */
  refuseStreams: Refusal | undefined;
  refuseRegistrations: Refusal | undefined;
  /** Whether a batch is acknowledged at once, after so many milliseconds, or (undefined) never. */
  ackAfterMs: ((batch: ReadBatch) => number | undefined) | undefined;
  /** `maxListingBytes` 0 is a server of an earlier version: it skips parts. */
  limits: { maxEventsPerSecond: number; maxBatchEvents: number; maxBatchBytes: number; maxListingBytes: number };
  send(body: Body): void;
  command(commandId: string, body: Command["body"]): void;
  /** Ends the stream with a refusal. */
  refuse(refusal: Refusal): void;
  /** Breaks the connection without a word. */
  cut(): void;
  pauseReading(): void;
  resumeReading(): void;
  stop(): Promise<void>;
}

export async function startIngestServer(credentials = ServerCredentials.createInsecure(), port = 0): Promise<IngestServer> {
  const keys = new Map<string, KeyObject>();
  const server = new Server({ "grpc.max_receive_message_length": 4 * 1024 * 1024 });
  let current: Call | undefined;

  const ingest: IngestServer = {
    port: 0,
    batches: [],
    statuses: [],
    results: [],
    registrations: [],
    streams: 0,
    attempts: 0,
    refuseStreams: undefined,
    refuseRegistrations: undefined,
    ackAfterMs: () => 0,
    limits: { maxEventsPerSecond: 0, maxBatchEvents: 0, maxBatchBytes: 0, maxListingBytes: 0 },
    send: (body) => void (current !== undefined && write(current, body)),
    command: (commandId, body) => ingest.send({ case: "command", value: { $typeName: "service.agent.v1.Command", commandId, body } }),
    refuse: (refusal) => current?.emit("error", errorOf(refusal)),
    cut() {
      current = undefined;
      server.forceShutdown();
    },
    pauseReading: () => void current?.pause(),
    resumeReading: () => void current?.resume(),
    stop: async () => server.forceShutdown(),
  };

  function register(
    call: ServerUnaryCall<RegisterAgentRequest, RegisterAgentResponse>,
    answer: sendUnaryData<RegisterAgentResponse>,
  ): void {
    ingest.registrations.push(call.request);
    if (ingest.refuseRegistrations !== undefined) return answer(errorOf(ingest.refuseRegistrations));
    const agentId = randomUUID();
    keys.set(agentId, publicKeyOf(call.request.publicKey));
    answer(null, { $typeName: "service.agent.v1.RegisterAgentResponse", agentId, label: call.request.label, serverVersion: "1" });
  }

  function push(call: Call): void {
    ingest.attempts += 1;
    const nonce = randomBytes(32);
    call.on("error", () => undefined);
    call.on("data", (message: AgentMessage) => take(call, nonce, message));
    write(call, { case: "authChallenge", value: { $typeName: "service.agent.v1.AuthChallenge", nonce } });
  }

  function take(call: Call, nonce: Uint8Array, { body }: AgentMessage): void {
    if (body.case === "authResponse") {
      const { agentId, timestamp, signature } = body.value;
      const key = keys.get(agentId);
      if (ingest.refuseStreams !== undefined) return void call.emit("error", errorOf(ingest.refuseStreams));
      if (key !== undefined && !verifyChallenge({ nonce, agentId, timestampSeconds: timestamp }, signature, key))
        return void call.emit("error", errorOf({ grpc: "UNAUTHENTICATED", code: "bad_signature" }));
      current = call;
      ingest.streams += 1;
      write(call, {
        case: "welcome",
        value: { $typeName: "service.agent.v1.Welcome", serverVersion: "1", serverTimeMs: BigInt(Date.now()), ...ingest.limits },
      });
    } else if (body.case === "batch") arrive(call, { ...readBatch(body.value), atMs: performance.now() });
    else if (body.case === "spoolStatus") ingest.statuses.push(body.value);
    else if (body.case === "commandResult") ingest.results.push(body.value);
  }

  function arrive(call: Call, batch: Arrived): void {
    ingest.batches.push(batch);
    const afterMs = ingest.ackAfterMs?.(batch);
    if (afterMs === undefined) return;
    const acknowledge = (): void =>
      write(call, { case: "ack", value: { $typeName: "service.agent.v1.Ack", lastSeq: BigInt(batch.lastSeq) } });
    if (afterMs === 0) acknowledge();
    else setTimeout(acknowledge, afterMs);
  }

  server.addService(INGEST_SERVICE, { registerAgent: register, push });
  ingest.port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return ingest;
}

function write(call: Call, body: Body): void {
  if (call.writable && !call.destroyed) call.write({ $typeName: "service.agent.v1.ServerMessage", body });
}

function errorOf({ grpc, code, message = `because of ${code}` }: Refusal) {
  const metadata = new Metadata();
  metadata.set("service-code", code);
  return Object.assign(new Error(message), { code: STATUS[grpc], details: message, metadata });
}
