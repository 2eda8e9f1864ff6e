import type { FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ERROR_TABLE, messageOf } from "../platform/errors.ts";
import type { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { AdminAccess } from "./admin-access.ts";
import { createEntityFinder, recordIn, changedFields, nameOf, shortRecord, type ShortRecord } from "./audited-entity.ts";
import type { ACTOR_KINDS } from "../contract/audit.ts";
import { createTokenBuckets } from "./rate-limit.ts";
import { Answer, BulkAnswer, operationId } from "./route.ts";
import type { Session } from "./session.ts";
import type { AuditOutcome, RecordChange, Route, RouteRequest } from "./route.ts";

export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did something. */
export interface Actor {
  kind: ActorKind;
  /** The beginning of a session's id, or the name that an assistant gives itself; null for other callers. */
  name: string | null;
}

/** An operation that may change something, whether it was done or refused. */
export interface AuditedOperation {
  actor: Actor;
  address: string | null;
  /** The operationId of the OpenAPI document, or the name of a tool. */
  operation: string;
  entity: { type: string; id: string | null; name: string | null } | null;
  outcome: "done" | "refused";
  /** The error code when it was refused. */
  error: string | null;
  /** Only the fields that differ when a record was changed. */
  before: ShortRecord | null;
  after: ShortRecord | null;
}

/** Stores operations, several of them together. */
export interface AuditSink {
  record(...operations: AuditedOperation[]): Promise<void>;
}

/** Whether the runs of a route are recorded in the audit log. */
export function isAudited({ method, unaudited }: Route): boolean {
  return method !== "GET" && unaudited === undefined;
}

/** Records the operations of all routes, in the one place where they run. */
export interface Audit {
  /** Resolves with the answer of the handler, once the operation was recorded. */
  run(definition: Route, exchange: RouteRequest<never, never, never>, request: FastifyRequest): Promise<unknown>;
  refused(definition: Route, request: FastifyRequest, error: Pick<ServiceError, "code">): void;
}

export interface AuditOptions {
  routes: readonly Route[];
  sink: AuditSink;
  adminAccess: Pick<AdminAccess, "sessionOf"> | undefined;
  clock: Clock;
  log: Log;
}

/** How many refusals of unknown callers are recorded: a flood of them must not fill the database. Requests beyond a rate limit are not recorded. */
const STRANGERS = { each: { perSecond: 1 / 60, burst: 20 }, all: { perSecond: 1 / 60, burst: 200 } };
const STRANGERS_ERRORS = new Set(["unauthorized", "cross_origin_refused", "misdirected_request", "probe_refused"]);

export function createAudit({ routes, sink, adminAccess, clock, log }: AuditOptions): Audit {
  const entityOf = createEntityFinder(routes);
  const strangers = {
    each: createTokenBuckets({ ...STRANGERS.each, clock }),
    all: createTokenBuckets({ ...STRANGERS.all, clock }),
  };

  function actorOf({ caller, headers }: FastifyRequest): Actor {
    if (caller?.kind === "admin_token") return { kind: "admin_token", name: null };
    const session = caller?.session ?? adminAccess?.sessionOf(headers);
    return session === undefined ? { kind: "anyone", name: null } : sessionActor(session);
  }

  /** The actor of a login is the session that it begins. */
  function begunBy(result: unknown): Actor | undefined {
    const [cookie] = result instanceof Answer ? String(result.headers["set-cookie"] ?? "").split(";") : [];
    const session = cookie === undefined ? undefined : adminAccess?.sessionOf({ cookie });
    return session && sessionActor(session);
  }

  async function record(...operations: AuditedOperation[]): Promise<void> {
    if (operations.length === 0) return;
    try {
      await sink.record(...operations);
    } catch (error) {
      // The operation was done and cannot be undone; the program's log at least has it.
      for (const operation of operations) log.error({ reason: messageOf(error), ...operation }, "audit entry not kept");
    }
  }

  /** One entry for each record, as if each had been changed separately. */
  function recordEach(changes: readonly RecordChange[], shared: Omit<AuditedOperation, "entity" | "before" | "after">, type: string) {
    return record(
      ...changes.map(({ before, after }) => ({
        ...shared,
        entity: { type, id: idIn(after), name: nameOf(after) },
        ...changeOf(before, after, undefined),
      })),
    );
  }

  function entity(definition: Route, params: unknown) {
    return entityOf(definition, (params ?? {}) as Readonly<Record<string, unknown>>);
  }

  async function refuse(definition: Route, request: FastifyRequest, error: string): Promise<void> {
    if (error === "rate_limited") return;
    const actor = actorOf(request);
    // Without an admin token, unknown callers of admin routes are allowed.
    const isAllowed = definition.access === "admin" && adminAccess === undefined;
    const isStranger = STRANGERS_ERRORS.has(error) || (actor.kind === "anyone" && !isAllowed);
    if (isStranger && !(strangers.each.admits(request.clientAddress) && strangers.all.admits(""))) return;
    const { type, id } = entity(definition, request.params);
    await record({
      actor,
      address: request.clientAddress,
      operation: operationId(definition),
      entity: { type, id: id?.slice(0, 64) ?? null, name: null },
      outcome: "refused",
      error,
      before: null,
      after: null,
    });
  }

  return {
    async run(definition, exchange, request) {
      // Before the handler runs, since a logout ends the session.
      const actor = actorOf(request);
      const subject = entity(definition, request.params);
      const found = await subject.read(exchange);
      const result: unknown = await definition.handle(exchange);
      const outcome = outcomeOf(definition, result, actor);
      if (typeof outcome === "object") await refuse(definition, request, outcome.refused);
      if (outcome !== "done") return result;
      if (result instanceof BulkAnswer) {
        const shared = {
          actor,
          address: exchange.clientAddress,
          operation: operationId(definition),
          outcome: "done" as const,
          error: null,
        };
        await recordEach(result.changes, shared, subject.type);
        return result;
      }
      const left = definition.method === "DELETE" ? undefined : await subject.read(exchange);
      const answered = recordIn(result instanceof Answer ? result.body : result);
      const { before, after } = changeOf(found, left, answered);
      await record({
        actor: begunBy(result) ?? actor,
        address: exchange.clientAddress,
        operation: operationId(definition),
        entity: {
          type: subject.type,
          id: subject.id ?? idIn(answered),
          name: firstName(left, found, answered),
        },
        outcome: "done",
        error: null,
        before,
        after,
      });
      return result;
    },
    refused(definition, request, { code }) {
      void refuse(definition, request, code);
    },
  };
}

function outcomeOf(definition: Route, result: unknown, { kind }: Actor): AuditOutcome {
  if (!(result instanceof Answer)) return "done";
  if (result.status >= 400) return { refused: errorOf(result.status) };
  return definition.auditOutcome?.(result, kind !== "anyone") ?? "done";
}

function sessionActor({ id }: Session): Actor {
  return { kind: "session", name: id.slice(0, 8) };
}

type Known = Readonly<Record<string, unknown>> | undefined;

/** The fields that differ between the record before and after; the answer when none does. */
function changeOf(found: Known, left: Known, answered: Known): { before: ShortRecord | null; after: ShortRecord | null } {
  if (found !== undefined && left === undefined) return { before: shortRecord(found), after: null };
  if (found === undefined || left === undefined) {
    const made = left ?? answered;
    return { before: null, after: made === undefined ? null : shortRecord(made) };
  }
  const changed = changedFields(found, left);
  if (Object.keys(changed.before).length + Object.keys(changed.after).length > 0) return changed;
  return { before: null, after: answered === undefined ? null : shortRecord(answered) };
}

function idIn(record: Known): string | null {
  const id = record?.["id"];
  return typeof id === "number" || typeof id === "string" ? String(id).slice(0, 64) : null;
}

function firstName(...records: Known[]): string | null {
  for (const record of records) {
    const name = record === undefined ? null : nameOf(record);
    if (name !== null) return name;
  }
  return null;
}

/** The first code with this status, for pages that refuse in their own words. */
function errorOf(status: number): string {
  return Object.entries(ERROR_TABLE).find(([, { http }]) => http === status)?.[0] ?? `http_${status}`;
}
