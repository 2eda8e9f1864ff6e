import { create } from "@bufbuild/protobuf";
import type { KeyObject } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { agentIdBytes, publicKeyBytes } from "../handshake.ts";
import type { AgentHello } from "../seams.ts";
import { RegisterAgentRequestSchema, RUNTIMES } from "../wire/index.ts";
import type { Identity } from "./identity.ts";
import { addressText, type ServerAddress } from "./server-address.ts";
import { PROTOCOL } from "./session.ts";
import type { Transport } from "./transport.ts";

export interface EnrollOptions {
  transport: Transport;
  server: ServerAddress;
  token: string;
  /** Of the identity to be; the same at each attempt, by which the server knows one whose answer was lost. */
  privateKey: KeyObject;
  /** Empty for what the token says, else the host name. */
  label: string;
  hello: AgentHello;
  clock: Clock;
  signal: AbortSignal;
}

/** Trades the token for an identity with that key, which never leaves this host. Rejects with the error of gRPC. */
export async function enroll({ transport, server, token, privateKey, label, hello, clock, signal }: EnrollOptions): Promise<Identity> {
  const { runtime, ...facts } = hello;
  const request = create(RegisterAgentRequestSchema, {
    enrollmentToken: token,
    publicKey: publicKeyBytes(privateKey),
    label,
    agent: { ...facts, capabilities: [...facts.capabilities], runtime: RUNTIMES.numbers[runtime] },
    protocol: PROTOCOL,
  });
  const { agentId } = await transport.register(request, signal);
  if (agentIdBytes(agentId) === undefined) throw new Error("the server gave an id that is not a UUID");
  return { agentId, privateKey, server: addressText(server), enrolledAt: clock.now() };
}
