import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError, isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { agentIdBytes, type Challenge, MAX_SKEW_SECONDS, NONCE_BYTES, type Refusal, refusalOf, PUBLIC_KEY_BYTES } from "../handshake.ts";
import type { AgentHello, AgentRegister, KnownAgent, Register } from "../seams.ts";
import {
  AgentMessageSchema,
  type AuthResponse,
  decode,
  RegisterAgentRequestSchema,
  ServerMessageSchema,
  type RegisterAgentResponse,
  RegisterAgentResponseSchema,
  textOf,
} from "../wire/index.ts";
import { addressOf } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { helloOf, refuseOtherProtocol, understood } from "./messages.ts";

export interface AuthenticateOptions {
  exchange: Exchange;
  find: AgentRegister["find"];
  /** A number that grows when an agent is revoked or deleted. */
  withdrawals: () => number;
  timeoutMs: number;
  clock: Clock;
}

/** An agent that has proved its identity. */
export interface Authenticated {
  agentId: string;
  hello: AgentHello;
  /** How far its clock is ahead of the server's, in whole seconds. */
  offsetMs: number;
}

/** The handshake: a nonce for this stream, and one answer to it. undefined when the agent disconnected; throws the reason of a refusal. */
export async function authenticate(options: AuthenticateOptions): Promise<Authenticated | undefined> {
  const { exchange, timeoutMs, clock } = options;
  const late = Promise.withResolvers<never>();
  const timer = clock.after(timeoutMs, () =>
    late.reject(new ServiceError("handshake_timeout", `The challenge was not answered within ${timeoutMs / 1000} seconds.`)),
  );
  try {
    return await Promise.race([converse(options), late.promise]);
  } catch (error) {
    if (exchange.over.aborted) return undefined;
    throw error;
  } finally {
    timer.cancel();
  }
}

async function converse({ exchange, find, withdrawals, clock }: AuthenticateOptions): Promise<Authenticated | undefined> {
  const nonce = randomBytes(NONCE_BYTES);
  await exchange.send(create(ServerMessageSchema, { body: { case: "authChallenge", value: { nonce } } }));
  const bytes = await exchange.receive();
  if (bytes === undefined) return undefined;
  const { body } = understood(() => decode(AgentMessageSchema, bytes));
  if (body.case !== "authResponse") throw new ServiceError("invalid_request", "The first message must be an auth_response.");
  const response = body.value;
  refuseOtherProtocol(response.protocol);
  const agent = await findLatest(response.agentId, find, withdrawals);
  const now = clock.now();
  refuse(response, nonce, agent, now);
  return {
    agentId: response.agentId.toLowerCase(),
    hello: helloOf(response.agent),
    offsetMs: Number(response.timestamp) * 1000 - Math.floor(now.getTime() / 1000) * 1000,
  };
}

/** An agent that was read while another was revoked may be outdated. */
async function findLatest(agentId: string, find: AgentRegister["find"], withdrawals: () => number): Promise<KnownAgent | undefined> {
  if (agentIdBytes(agentId) === undefined) throw refusal("agent_unknown");
  for (;;) {
    const before = withdrawals();
    const agent = await find(agentId.toLowerCase());
    if (withdrawals() === before) return agent;
  }
}

function refuse({ agentId, timestamp, signature }: AuthResponse, nonce: Uint8Array, agent: KnownAgent | undefined, now: Date): void {
  const challenge: Challenge = { nonce, agentId, timestampSeconds: timestamp };
  const refused = refusalOf(challenge, signature, agent, now);
  if (refused !== undefined) throw refusal(refused);
}

export function refusal(code: Refusal): ServiceError {
  return new ServiceError(code, SENTENCES[code]);
}

const SENTENCES: Record<Refusal, string> = {
  agent_unknown: "This server knows no agent of this id: it was deleted, or enrolled elsewhere. Enroll it again.",
  bad_signature: "The answer to the challenge is not signed with the agent's key.",
  agent_revoked: "The agent was revoked and must not come back. To watch this host again, enroll it again.",
  clock_skew: `The agent's clock and the server's are more than ${MAX_SKEW_SECONDS} seconds apart. Set both by NTP.`,
};

interface EnrollOptions {
  register: Register;
  requireEdition: () => void;
  version: string;
  log: Log;
}

const MAX_TOKEN_CHARACTERS = 200;
/** More than a label may have, so that the check of labels reports the fault. */
const MAX_LABEL_CHARACTERS = 1000;

/** Answers RegisterAgent. Throws a ServiceError, or what a defect throws. */
export function createEnroll({ register, requireEdition, version, log }: EnrollOptions) {
  return async (bytes: Uint8Array, peer: string): Promise<RegisterAgentResponse> => {
    try {
      requireEdition();
      const { enrollmentToken, publicKey, label, agent, protocol } = understood(() => decode(RegisterAgentRequestSchema, bytes));
      refuseOtherProtocol(protocol);
      if (publicKey.length !== PUBLIC_KEY_BYTES) {
        throw new ServiceError("invalid_request", `The public key has ${publicKey.length} bytes, an Ed25519 key has ${PUBLIC_KEY_BYTES}.`);
      }
      const registration = {
        token: understood(() => textOf(enrollmentToken, "enrollment_token", MAX_TOKEN_CHARACTERS)),
        publicKey,
        label: understood(() => textOf(label, "label", MAX_LABEL_CHARACTERS)),
        hello: helloOf(agent),
        peer: addressOf(peer),
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
