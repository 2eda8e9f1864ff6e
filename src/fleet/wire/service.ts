import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { decode } from "./decode.ts";
import {
  AgentMessageSchema,
  Ingest,
  RegisterAgentRequestSchema,
  RegisterAgentResponseSchema,
  ServerMessageSchema,
} from "./gen/service/agent/v1/ingest_pb.ts";

/** A message, or its bytes, which are sent unchanged. */
export type Sent<Schema extends DescMessage> = MessageShape<Schema> | Uint8Array;

function serializerOf<Schema extends DescMessage>(schema: Schema): (message: Sent<Schema>) => Buffer {
  return (message) => {
    const bytes = message instanceof Uint8Array ? message : toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

/** Throws a WireError, which grpc-js answers with the status INTERNAL. */
function deserializerOf<Schema extends DescMessage>(schema: Schema): (bytes: Uint8Array) => MessageShape<Schema> {
  return (bytes) => decode(schema, bytes);
}

/**
 * The calls of both sides, for a server and a client of grpc-js: `server.addService(INGEST_SERVICE, ...)`,
 * `makeGenericClientConstructor(INGEST_SERVICE, "Ingest")`.
 */
export const INGEST_SERVICE = {
  registerAgent: {
    path: `/${Ingest.typeName}/${Ingest.method.registerAgent.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: serializerOf(RegisterAgentRequestSchema),
    requestDeserialize: deserializerOf(RegisterAgentRequestSchema),
    responseSerialize: serializerOf(RegisterAgentResponseSchema),
    responseDeserialize: deserializerOf(RegisterAgentResponseSchema),
  },
  push: {
    path: `/${Ingest.typeName}/${Ingest.method.push.name}`,
    requestStream: true,
    responseStream: true,
    requestSerialize: serializerOf(AgentMessageSchema),
    requestDeserialize: deserializerOf(AgentMessageSchema),
    responseSerialize: serializerOf(ServerMessageSchema),
    responseDeserialize: deserializerOf(ServerMessageSchema),
  },
} as const;
