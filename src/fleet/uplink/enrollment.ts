import { create } from "@bufbuild/protobuf";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { agentIdBytes, PROTOCOL, publicKeyBytes } from "../handshake.ts";
import type { AgentHello } from "../seams.ts";
import { RegisterAgentRequestSchema } from "../wire/index.ts";
import {
  forgetEnrollingKey,
  type Identity,
  identityPath,
  readEnrollingKey,
  readIdentity,
  writeEnrollingKey,
  writeIdentity,
} from "./identity.ts";
import type { StreamEnd } from "./schedule.ts";
import { descriptionOf } from "./session.ts";
import { openTransport, type Transport, type TransportOptions, addressText, type Refusal, refusalOf } from "./transport.ts";

const ENROLL_WITHIN_MS = 30_000;

export interface EnrollmentOptions extends TransportOptions {
  /** The folder of identity.json. */
  dataDir: string;
  /** Used when there is no identity yet. */
  enrollmentToken: string | undefined;
  label: string | undefined;
  clock: Clock;
  log: Log;
}

/** The identity of this agent: read from its folder, or obtained for a token. */
export class Enrollment {
  readonly #options: EnrollmentOptions;
  #identity: Identity | undefined;
  /** The key while it enrolls. The same at each attempt, so that the server recognises an agent whose answer was lost. */
  #newKey: KeyObject | undefined;
  /** The server knows it, but it is not on this disk yet. */
  #unwritten: Identity | undefined;

  constructor(options: EnrollmentOptions) {
    this.#options = options;
  }

  /** undefined until the agent has enrolled. */
  get identity(): Identity | undefined {
    return this.#identity;
  }

  /** Reads the identity. Throws a StartError when it cannot be used, or when there is neither an identity nor a token. */
  load(): void {
    const { dataDir, enrollmentToken, server, log } = this.#options;
    const identity = readIdentity(dataDir);
    this.#identity = identity;
    if (identity === undefined) {
      if (enrollmentToken !== undefined) return;
      throw new StartError(
        `This agent has no identity in ${dataDir} and no enrollment token. Make a token on the server's page of hosts, and give it as SERVICE_ENROLLMENT_TOKEN.`,
      );
    }
    forgetEnrollingKey(dataDir);
    if (identity.server !== addressText(server))
      log.info({ enrolled_with: identity.server, server: addressText(server) }, "the server has another address than at enrollment");
  }

  /** Redeems the token for an identity. A failure is reported like a stream that ends at once. */
  async enroll(hello: () => AgentHello, stopping: AbortSignal): Promise<Identity | (StreamEnd & Refusal)> {
    const { server, clock, log } = this.#options;
    const transport = openTransport(this.#options);
    const giveUp = new AbortController();
    const late = clock.after(ENROLL_WITHIN_MS, () => giveUp.abort());
    try {
      const privateKey = (this.#newKey ??= this.#keyToEnroll());
      const agentId = await this.#register(transport, { hello: hello(), privateKey, signal: AbortSignal.any([stopping, giveUp.signal]) });
      const identity = { agentId, privateKey, server: addressText(server), enrolledAt: clock.now() };
      log.info({ agent_id: agentId, server: identity.server }, "enrolled with the server");
      this.#save(identity);
      this.#identity = identity;
      return identity;
    } catch (error) {
      return { ...refusalOf(error), lastedMs: 0 };
    } finally {
      late.cancel();
      transport.close();
    }
  }

  /** The token is used up, so an identity that could not be written is written again for as long as this process lives. */
  saveAgain(): void {
    if (this.#unwritten !== undefined) this.#save(this.#unwritten);
  }

  #keyToEnroll(): KeyObject {
    const { dataDir, log } = this.#options;
    const begun = readEnrollingKey(dataDir);
    if (begun !== undefined) return begun;
    const { privateKey } = generateKeyPairSync("ed25519");
    try {
      writeEnrollingKey(dataDir, privateKey);
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "key not written: an agent that ends while it enrolls would need another token");
    }
    return privateKey;
  }

  /** Answers the id. The key never leaves this host. Rejects with the error of gRPC. */
  async #register(
    transport: Transport,
    { hello, privateKey, signal }: { hello: AgentHello; privateKey: KeyObject; signal: AbortSignal },
  ): Promise<string> {
    const { enrollmentToken = "", label = "" } = this.#options;
    const request = create(RegisterAgentRequestSchema, {
      enrollmentToken,
      publicKey: publicKeyBytes(privateKey),
      // Empty: the label of the token, else the host name.
      label,
      agent: descriptionOf(hello),
      protocol: PROTOCOL,
    });
    const { agentId } = await transport.register(request, signal);
    if (agentIdBytes(agentId) === undefined) throw new Error("the server gave an id that is not a UUID");
    return agentId;
  }

  #save(identity: Identity): void {
    const { dataDir, log } = this.#options;
    try {
      writeIdentity(dataDir, identity);
      forgetEnrollingKey(dataDir);
      this.#unwritten = undefined;
    } catch (error) {
      this.#unwritten = identity;
      log.error(
        { path: identityPath(dataDir), reason: messageOf(error) },
        "identity not written: after a restart the agent would not be known",
      );
    }
  }
}
