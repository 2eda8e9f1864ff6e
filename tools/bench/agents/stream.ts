/** An agent's end of the protocol over bare HTTP/2, so that two hundred of them cost a load generator little. */
import type { KeyObject } from "node:crypto";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { create } from "@bufbuild/protobuf";
import { signChallenge } from "../../../src/fleet/handshake.ts";
import {
  AuthResponseSchema,
  decode,
  encodeAgentMessage,
  INGEST_SERVICE,
  RuntimeKind,
  type ServerMessage,
  ServerMessageSchema,
} from "../../../src/fleet/wire/index.ts";

export interface AgentIdentity {
  agentId: string;
  privateKey: KeyObject;
}

export const DESCRIPTION = {
  version: "1.0.0",
  hostname: "bench",
  os: "Debian GNU/Linux 13",
  arch: "x64",
  runtime: RuntimeKind.DOCKER,
  capabilities: [],
};
export const PROTOCOL = 1;

const WELCOMED_WITHIN_MS = 30_000;
/** One byte that says whether the message is compressed, four of its length. */
const PREFIX_BYTES = 5;

/** Calls of gRPC over one connection. */
export interface Connection {
  /** Opens a call; `take` gets each message of the server. The promise resolves to its trailers when it is over. */
  open(path: string, take: (message: Buffer) => void): { call: ClientHttp2Stream; ended: Promise<Trailers> };
  close(): void;
}

export interface Trailers {
  status: string;
  message: string;
}

export function openConnection(port: number): Connection {
  const session: ClientHttp2Session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  return {
    open(path, take) {
      const call = session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" });
      let trailers: Trailers = { status: "none", message: "the connection ended" };
      const note = (headers: Record<string, unknown>): void => {
        if (headers["grpc-status"] !== undefined)
          trailers = { status: String(headers["grpc-status"]), message: decodeURIComponent(String(headers["grpc-message"] ?? "")) };
      };
      call.on("response", note);
      call.on("trailers", note);
      call.on("error", (error) => (trailers = { status: "none", message: error.message }));
      call.on("data", messagesOf(take));
      const ended = new Promise<Trailers>((resolve) => call.once("close", () => resolve(trailers)));
      return { call, ended };
    },
    close: () => session.destroy(),
  };
}

/** Puts the length before a message. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(PREFIX_BYTES + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

function messagesOf(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= PREFIX_BYTES && rest.length >= PREFIX_BYTES + rest.readUInt32BE(1)) {
      const end = PREFIX_BYTES + rest.readUInt32BE(1);
      take(rest.subarray(PREFIX_BYTES, end));
      rest = rest.subarray(end);
    }
  };
}

/** The stream of an agent that was welcomed. */
export interface AgentStream {
  /** Sends a batch, framed; `acknowledged` is called when it was saved. Batches are acknowledged in their order. */
  send(frame: Uint8Array, acknowledged: () => void): void;
  /** How often the server asked to go slower. */
  slowedDown(): number;
  close(): void;
}

/** Connects and answers the challenge. Throws when the server refuses, or does not answer in time; calls `onLost` when it ends after that. */
export async function openAgent(
  port: number,
  { agentId, privateKey }: AgentIdentity,
  onLost: (reason: string) => void,
): Promise<AgentStream> {
  const welcomed = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  let slowed = 0;
  let closing = false;
  const connection = openConnection(port);
  const { call, ended } = connection.open(INGEST_SERVICE.push.path, (message) => take(decode(ServerMessageSchema, message).body));
  const late = setTimeout(() => welcomed.reject(new Error("the server did not welcome an agent in time")), WELCOMED_WITHIN_MS);

  function take(body: ServerMessage["body"]): void {
    if (body.case === "ack") waiting.shift()?.();
    else if (body.case === "error") slowed += 1;
    else if (body.case === "welcome") welcomed.resolve();
    else if (body.case === "authChallenge") {
      const timestamp = BigInt(Math.floor(Date.now() / 1000));
      const signature = signChallenge({ nonce: body.value.nonce, agentId, timestampSeconds: timestamp }, privateKey);
      const value = create(AuthResponseSchema, { agentId, timestamp, signature, agent: DESCRIPTION, protocol: PROTOCOL });
      call.write(framed(encodeAgentMessage({ case: "authResponse", value })));
    }
  }

  function close(): void {
    closing = true;
    clearTimeout(late);
    connection.close();
  }

  void ended.then(({ status, message }) => {
    welcomed.reject(new Error(`the stream of an agent ended with ${status}: ${message}`));
    if (!closing) onLost(message);
  });
  try {
    await welcomed.promise;
  } catch (error) {
    close();
    throw error;
  }
  clearTimeout(late);
  return {
    send(frame, acknowledged) {
      waiting.push(acknowledged);
      call.write(frame);
    },
    slowedDown: () => slowed,
    close,
  };
}
