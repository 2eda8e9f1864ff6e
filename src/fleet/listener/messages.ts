import { Metadata, type ServerErrorResponse, status } from "@grpc/grpc-js";
import { ServiceError, ERROR_TABLE, isServiceError } from "../../platform/errors.ts";
import type { AgentHello } from "../seams.ts";
import { PROTOCOL } from "../handshake.ts";
import { type AgentDescription, cutName, nameOf, RUNTIMES, WireError } from "../wire/index.ts";

/** For a message of an agent that is not authenticated yet. */
export const MAX_HANDSHAKE_BYTES = 16_384;
const MAX_CAPABILITIES = 32;

/** Throws `invalid_request` in place of a WireError. */
export function understood<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ServiceError("invalid_request", `The message cannot be read: ${error.message}.`, undefined, { cause: error });
  }
}

export function refuseOtherProtocol(protocol: number): void {
  if (protocol === PROTOCOL) return;
  const remedy = protocol > PROTOCOL ? "Update the server first, then its agents." : "Update the agent.";
  throw new ServiceError("protocol_unsupported", `The agent speaks protocol ${protocol}, this server protocol ${PROTOCOL}. ${remedy}`);
}

/** An agent's description of itself, cleaned and bounded since it is shown. Throws `invalid_request`. */
export function helloOf(description: AgentDescription | undefined): AgentHello {
  if (description === undefined) throw new ServiceError("invalid_request", "The agent does not say what it is.");
  const { version, hostname, os, arch, runtime, capabilities } = description;
  const kind = RUNTIMES.wordOf(runtime);
  if (kind === undefined) throw new ServiceError("invalid_request", "The agent's runtime is missing or not known.");
  return understood(() => ({
    version: nameOf(version, "agent.version", 64),
    hostname: nameOf(hostname, "agent.hostname", 255),
    os: cutName(os, 128),
    arch: cutName(arch, 32),
    runtime: kind,
    capabilities: capabilities
      .slice(0, MAX_CAPABILITIES)
      .map((name) => nameOf(name, "agent.capabilities", 64))
      .filter((name) => name !== ""),
  }));
}

/** The trailer with the error code of a refusal. */
const CODE_TRAILER = "service-code";

/** The gRPC status of a failure: the one of its code, with the sentence as details and the code as a trailer. Of a defect nothing is revealed. */
export function statusOf(error: unknown): Required<Pick<ServerErrorResponse, "code" | "details" | "metadata" | "name" | "message">> {
  const refusal = isServiceError(error) ? error : new ServiceError("internal", "Something went wrong on the server.");
  const metadata = new Metadata();
  metadata.set(CODE_TRAILER, refusal.code === "EDITION_REQUIRED" ? "edition_required" : refusal.code);
  return { name: refusal.code, message: refusal.message, code: status[ERROR_TABLE[refusal.code].grpc], details: refusal.message, metadata };
}
