import { create } from "@bufbuild/protobuf";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { PUBLIC_KEY_BYTES } from "../handshake.ts";
import type { Register } from "../seams.ts";
import { type RegisterAgentResponse, RegisterAgentResponseSchema, textOf } from "../wire/index.ts";
import { helloOf, refuseOtherProtocol, registrationOf, understood } from "./messages.ts";

export interface EnrollOptions {
  register: Register;
  requireEdition: () => void;
  version: string;
  log: Log;
}

const MAX_TOKEN_CHARACTERS = 200;
/** Beyond what is taken, so that whoever judges labels says so. */
const MAX_LABEL_CHARACTERS = 1000;

/** Answers RegisterAgent. Throws a ServiceError, or what a defect throws. */
export function createEnroll({ register, requireEdition, version, log }: EnrollOptions) {
  return async (bytes: Uint8Array, peer: string): Promise<RegisterAgentResponse> => {
    const address = peer.replace(/:\d+$/, "");
    try {
      requireEdition();
      const { enrollmentToken, publicKey, label, agent, protocol } = registrationOf(bytes);
      refuseOtherProtocol(protocol);
      if (publicKey.length !== PUBLIC_KEY_BYTES) {
        throw new ServiceError("invalid_request", `The public key has ${publicKey.length} bytes, an Ed25519 key has ${PUBLIC_KEY_BYTES}.`);
      }
      const registration = {
        token: understood(() => textOf(enrollmentToken, "enrollment_token", MAX_TOKEN_CHARACTERS)),
        publicKey,
        label: understood(() => textOf(label, "label", MAX_LABEL_CHARACTERS)),
        hello: helloOf(agent),
        peer: address,
      };
      const enrolled = await register(registration);
      return create(RegisterAgentResponseSchema, { agentId: enrolled.agentId, label: enrolled.label, serverVersion: version });
    } catch (error) {
      if (isServiceError(error)) log.info({ peer, code: error.code, reason: error.message }, "enrollment of an agent refused");
      else log.error({ err: error, peer }, "enrollment of an agent failed");
      throw error;
    }
  };
}
