import { type ClientHttp2Stream, connect } from "node:http2";
import { connect as connectTcp } from "node:net";
import { create } from "@bufbuild/protobuf";
import { AgentMessageSchema, decode, INGEST_SERVICE, type ServerMessage, ServerMessageSchema } from "../../src/fleet/wire/index.ts";
import { answer, type TestAgent } from "./listener.ts";

/** The frames of HTTP/2 that somebody might send in ill will. Source: RFC 9113, section 4.1 and section 6. */
const TYPES = { headers: 1, reset: 3, settings: 4, ping: 6, continuation: 9 } as const;
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(type: keyof typeof TYPES, { flags = 0, stream = 0, payload = Buffer.alloc(0) } = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** How a call of Push begins, by HPACK without a table. */
export const CALL_HEADERS = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal([0x04], INGEST_SERVICE.push.path),
  literal([0x01], "localhost"),
  literal([0x0f, 0x10], "application/grpc"),
  literal([0x00, 2, ...Buffer.from("te")], "trailers"),
]);

function literal(name: readonly number[], value: string): Buffer {
  return Buffer.concat([Buffer.from([...name, value.length]), Buffer.from(value)]);
}

/** Sends this on a separate connection, reads nothing, and resolves when the server has closed it, or after a while. */
export async function shout(port: number, frames: readonly Buffer[], withinMs = 30_000): Promise<"cut" | "kept"> {
  const socket = connectTcp(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<"cut">((resolve) => socket.on("close", () => resolve("cut")));
  // Without a reader an end would not be seen.
  socket.resume();
  socket.write(Buffer.concat([PREFACE, frame("settings"), ...frames]));
  const enough = AbortSignal.timeout(withinMs);
  const late = new Promise<"kept">((resolve) => enough.addEventListener("abort", () => resolve("kept")));
  const outcome = await Promise.race([closed, late]);
  socket.destroy();
  return outcome;
}

/** An authenticated stream whose messages are cut into frames as the test likes. */
export interface RawStream {
  next(): Promise<ServerMessage["body"]>;
  /** The message with its length before it, in frames of so many bytes. */
  send(message: Uint8Array, frameBytes: number): Promise<void>;
  close(): void;
}

export async function openRawStream(port: number, agent: TestAgent): Promise<RawStream> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  const call = session.request({
    ":method": "POST",
    ":path": INGEST_SERVICE.push.path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const messages = readMessages(call);
  const stream: RawStream = {
    async next() {
      const { value, done } = await messages.next();
      if (done === true) throw new Error("the stream ended");
      return value.body;
    },
    async send(message, frameBytes) {
      const bytes = Buffer.concat([Buffer.alloc(5), message]);
      bytes.writeUInt32BE(message.length, 1);
      for (let from = 0; from < bytes.length; from += frameBytes)
        await new Promise<void>((resolve) => void call.write(bytes.subarray(from, from + frameBytes), () => resolve()));
    },
    close: () => session.destroy(),
  };
  const challenge = await stream.next();
  if (challenge.case !== "authChallenge") throw new Error(`not a challenge but ${challenge.case}`);
  const response = create(AgentMessageSchema, { body: answer(agent, challenge.value.nonce) });
  await stream.send(INGEST_SERVICE.push.requestSerialize(response), 16_384);
  const welcome = await stream.next();
  if (welcome.case !== "welcome") throw new Error(`not a welcome but ${welcome.case}`);
  return stream;
}

async function* readMessages(call: ClientHttp2Stream): AsyncGenerator<ServerMessage> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of call) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      const end = 5 + bytes.readUInt32BE(1);
      yield decode(ServerMessageSchema, bytes.subarray(5, end));
      bytes = bytes.subarray(end);
    }
  }
}
