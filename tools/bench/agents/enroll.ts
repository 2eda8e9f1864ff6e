import { generateKeyPairSync } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { CreatedToken } from "../../../src/fleet/enrollment/answers.ts";
import { publicKeyBytes } from "../../../src/fleet/handshake.ts";
import { decode, INGEST_SERVICE, RegisterAgentRequestSchema, RegisterAgentResponseSchema } from "../../../src/fleet/wire/index.ts";
import { address } from "../load.ts";
import { type AgentIdentity, DESCRIPTION, framed, openConnection, PROTOCOL } from "./stream.ts";

const { path, requestSerialize } = INGEST_SERVICE.registerAgent;
const AT_ONCE = 8;

/** A new enrollment token of the program that listens at `url`; `number` makes the request come from a separate address, because of the limits. */
export async function newToken(url: string, number: number): Promise<string> {
  const answer = await fetch(`${url}/api/v1/agents/enrollment-tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address(number >> 8, number) },
    body: "{}",
  });
  if (answer.status !== 201) throw new Error(`no enrollment token: ${answer.status} ${await answer.text()}`);
  // The shape is the program's own.
  return ((await answer.json()) as CreatedToken).token;
}

/** Enrolls so many agents, each with its own token and key. */
export async function enrollAgents(url: string, grpcPort: number, count: number): Promise<AgentIdentity[]> {
  const connection = openConnection(grpcPort);
  const agents: AgentIdentity[] = [];
  try {
    for (let from = 0; from < count; from += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
      agents.push(...(await Promise.all(some.map(enrollOne))));
    }
    return agents;
  } finally {
    connection.close();
  }

  async function enrollOne(number: number): Promise<AgentIdentity> {
    const { privateKey } = generateKeyPairSync("ed25519");
    const request = create(RegisterAgentRequestSchema, {
      enrollmentToken: await newToken(url, number),
      publicKey: publicKeyBytes(privateKey),
      label: `agent-${number}`,
      agent: DESCRIPTION,
      protocol: PROTOCOL,
    });
    let agentId = "";
    const { call, ended } = connection.open(path, (message) => ({ agentId } = decode(RegisterAgentResponseSchema, message)));
    call.end(framed(requestSerialize(request)));
    const { status, message } = await ended;
    if (status !== "0") throw new Error(`an agent was not enrolled: ${status} ${message}`);
    return { agentId, privateKey };
  }
}
