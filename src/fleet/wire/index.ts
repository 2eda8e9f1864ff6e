/**
 * What agents and servers send each other: observations as bytes and back, batches, and the gRPC calls. The contract is
 * proto/service/agent/v1/ingest.proto.
 */
export { encodeAgentMessage, type ReadBatch, readBatch, takeBatch } from "./batch.ts";
export { type AgentBody, decode, decodeAgentMessage, partsOf } from "./decode.ts";
export { asReplayed, encodeEvent, type Listing, type ListingPart } from "./event.ts";
export {
  type AgentDescription,
  type AgentMessage,
  AgentMessageSchema,
  type AuthResponse,
  AuthResponseSchema,
  type Command,
  type CommandResult,
  CommandResultSchema,
  CommandSchema,
  EventSchema,
  type LogLine,
  LogLineSchema,
  type LogsCommand,
  LogStream,
  type RegisterAgentRequest,
  RegisterAgentRequestSchema,
  type RegisterAgentResponse,
  RegisterAgentResponseSchema,
  RuntimeKind,
  type ServerMessage,
  ServerMessageSchema,
  type SpoolStatus,
  SpoolStatusSchema,
  type Welcome,
} from "./gen/service/agent/v1/ingest_pb.ts";
export type { SentBatch } from "./sent-batch.ts";
export { type KubernetesPart, withUnseen } from "./kubernetes.ts";
export { encodeSighting } from "./kubernetes-parts.ts";
export {
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  MAX_CONTAINERS,
  MAX_LISTING_BYTES,
  MAX_LISTING_LABELS,
  MAX_MESSAGE_BYTES,
  MAX_NODES,
  MAX_OBJECTS,
  MAX_SERVICES,
} from "./limits.ts";
export { fitContainer, MAX_CONTAINER_BYTES } from "./fit-container.ts";
export { encodeListing, ListingError } from "./listing.ts";
export { INGEST_SERVICE } from "./service.ts";
export { cutName, nameOf, numberOf, textOf, WireError } from "./values.ts";
export { RUNTIMES } from "./vocabulary.ts";
