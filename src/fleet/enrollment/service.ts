import { randomBytes, randomUUID } from "node:crypto";
import { AGENT_LABEL_LENGTH, ENROLLMENT_BOUNDS, isAgentLabelTooLong } from "../../contract/agent.ts";
import { HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type Agents, labelOf, MAX_AGENTS } from "../agents/index.ts";
import type { Register, Registration } from "../seams.ts";
import type { TokenBody, TokenQuery } from "./api.ts";
import type { CreatedToken, TokenList, TokenRecord } from "./answers.ts";
import type { PublicUrl } from "./public-url.ts";
import type { EnrollmentStore } from "./store.ts";
import { installTemplates } from "./templates/index.ts";
import { hashOf, idOf, isToken, prefixOf, TOKEN_BYTES, tokenOf, type EnrollmentToken, statusOf, type TokenRefusal } from "./token.ts";

/** The tokens with which agents enroll. */
export interface EnrollmentService {
  /**
   * Makes a token and the commands to paste on the host; the token cannot be shown again. Throws `conflict` when too many are open, or when no agents
   * are taken.
   */
  create(body: TokenBody, address: PublicUrl): Promise<CreatedToken>;
  /** Latest first. */
  list(query: TokenQuery): Promise<TokenList>;
  /** Throws `not_found`. */
  get(id: string): Promise<TokenRecord>;
  /** Throws `not_found`. */
  remove(id: string): Promise<void>;
  /** Throws `token_invalid`, `token_expired`, `token_consumed`, `label_too_long`, `conflict` when there are too many agents. */
  register: Register;
  /** Deletes tokens that expired long ago. */
  prune(signal: AbortSignal): Promise<void>;
}

export interface EnrollmentServiceParts {
  store: EnrollmentStore;
  agents: Pick<Agents, "admit" | "count">;
  clock: Clock;
  log: Log;
  /** Whether agents can reach this program. */
  listens: boolean;
  /** The fingerprint of the certificate that the server made itself, as `sha256:HEX`; undefined with any other certificate. */
  fingerprint: () => string | undefined;
}

/** How long a token is shown after it expired. */
const KEPT_MS = 30 * 24 * HOUR_MS;

const REFUSALS: Record<TokenRefusal, string> = {
  token_invalid: "There is no such enrollment token. Make a new one on the server's page of hosts.",
  token_expired: "The enrollment token has expired. Make a new one on the server's page of hosts.",
  token_consumed: "The enrollment token was used before; each enrolls one agent. Make a new one on the server's page of hosts.",
};

export function createEnrollmentService({ store, agents, clock, log, listens, fingerprint }: EnrollmentServiceParts): EnrollmentService {
  /** Checked first, so that a refused registration does not use up the token. */
  function check({ token, label }: Registration): void {
    if (!isToken(token)) throw refused("token_invalid");
    if (isAgentLabelTooLong(label)) throw new ServiceError("label_too_long", `The label has more than ${AGENT_LABEL_LENGTH} characters.`);
    if (agents.count() >= MAX_AGENTS) throw new ServiceError("conflict", `There are ${MAX_AGENTS} agents already; delete some.`);
  }

  return {
    async create({ ttl_hours: hours, label }, { url, source, warnings }) {
      if (!listens)
        throw new ServiceError("conflict", "This program runs in embedded mode and takes no agents. Start it with --mode=server.");
      const text = tokenOf(randomBytes(TOKEN_BYTES));
      const hash = hashOf(text);
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + hours * HOUR_MS);
      const token: EnrollmentToken = {
        id: idOf(hash),
        prefix: prefixOf(text),
        label: label ?? null,
        createdAt,
        expiresAt,
        consumedAt: null,
        agentId: null,
      };
      if (!(await store.create(token, hash, ENROLLMENT_BOUNDS.openTokens)))
        throw new ServiceError("conflict", `There are ${ENROLLMENT_BOUNDS.openTokens} open enrollment tokens already; delete some.`);
      return {
        ...tokenRecord(token, createdAt),
        token: text,
        server_url: url,
        install_templates: installTemplates({
          serverUrl: url,
          token: text,
          label: token.label,
          expiresAt,
          // Behind a proxy, agents see the proxy's certificate.
          serverFingerprint: source === "proxy" ? undefined : fingerprint(),
        }),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },

    async list({ limit, offset }) {
      const { tokens, total } = await store.list({ limit, offset });
      const now = clock.now();
      return { tokens: tokens.map((token) => tokenRecord(token, now)), total, has_more: offset + tokens.length < total };
    },

    async get(id) {
      const token = await store.find(id);
      if (token === undefined) throw noToken(id);
      return tokenRecord(token, clock.now());
    },

    async remove(id) {
      if (!(await store.remove(id))) throw noToken(id);
    },

    async register(registration) {
      check(registration);
      const { token, publicKey, label, hello, peer } = registration;
      const now = clock.now();
      const agentId = randomUUID();
      const outcome = await store.consume({
        hash: hashOf(token),
        now,
        agentId,
        publicKey,
        agentOf: (used) => ({
          ...hello,
          id: agentId,
          label: labelOf([label, used.label ?? ""], hello.hostname),
          publicKey: Uint8Array.from(publicKey),
          status: "active",
          enrolledAt: now,
          revokedAt: null,
          lastSeenAt: now,
          lostSince: null,
          awaited: false,
          clockOffsetMs: null,
          spoolDropped: 0,
        }),
      });
      if (typeof outcome === "string") {
        log.warn({ reason: outcome, token: idOf(hashOf(token)), peer }, "enrollment refused");
        throw refused(outcome);
      }
      if (!outcome.isNew) {
        log.info({ agent_id: outcome.id, peer }, "agent enrolled before, and answered again");
        return { agentId: outcome.id, label: outcome.label };
      }
      const made = outcome.agent;
      agents.admit(made);
      log.info({ agent_id: agentId, label: made.label, peer }, "agent enrolled");
      return { agentId, label: made.label };
    },

    async prune(signal) {
      const before = new Date(clock.now().getTime() - KEPT_MS);
      while (!signal.aborted && (await store.prune(before)));
    },
  };
}

function tokenRecord(token: EnrollmentToken, now: Date): TokenRecord {
  return {
    id: token.id,
    token_prefix: `${token.prefix}…`,
    label: token.label,
    status: statusOf(token, now),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    consumed_at: token.consumedAt?.toISOString() ?? null,
    agent_id: token.agentId,
  };
}

function refused(reason: TokenRefusal): ServiceError {
  return new ServiceError(reason, REFUSALS[reason]);
}

function noToken(id: string): ServiceError {
  return new ServiceError("not_found", `There is no enrollment token ${id}.`);
}
