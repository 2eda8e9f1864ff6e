import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { ErrorCode } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { AnswerShape, Schema } from "./later-schemas.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The input of a handler: everything parsed and checked by the route's schemas. */
export interface RouteRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The method as it was sent: `HEAD` when a GET route answers one. */
  method: string;
  headers: IncomingHttpHeaders;
  /** The client's address after the forwarded headers of trusted proxies were applied. */
  clientAddress: string;
  /** The address of the connection: a proxy's, if there is one. */
  peerAddress: string;
  requestId: string;
  /** Aborted when the client is gone or the request has timed out. */
  signal: AbortSignal;
  log: Log;
}

/** An answer other than `200` with JSON. A Buffer or string is sent as it is, a stream is piped. */
export class Answer {
  readonly status: number;
  readonly body: Buffer | string | Readable | object | undefined;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, body?: Buffer | string | Readable | object, headers: OutgoingHttpHeaders = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** How an operation changed a record, in the form of the API; a record without `before` is new. */
export interface RecordChange {
  before?: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/** The answer of an operation on many records, with the changed ones for the audit log. */
export class BulkAnswer extends Answer {
  readonly changes: readonly RecordChange[];

  constructor(body: object, changes: readonly RecordChange[]) {
    super(200, body);
    this.changes = changes;
  }
}

/** Whether something was done, nothing was, or it was refused with this code. */
export type AuditOutcome = "done" | "nothing" | { refused: string };

/**
 * A route as data: its input, its answers, and who may call it. The server, the OpenAPI document, the surface test and the edition gate all read the
 * same object.
 */
export interface RouteDefinition<Params, Query, Body> {
  method: Method;
  /** With parameters in braces, as in the specification: `/api/v1/containers/{id}`. */
  path: string;
  summary: string;
  /** The section of the specification. */
  tag: string;
  /** `admin`: /api/v1 with its limits and, when set, the admin token. `public`: with the public limits. `open`: neither. */
  access: "admin" | "public" | "open";
  /** It streams, and has no 10 s timeout. */
  stream?: true;
  /** Answers checks of endpoints. Other `admin` routes refuse them, since the login of a proxy in between may have let the check through. */
  answersProbes?: true;
  /** A caller without the required admin token gets only the status of the answer, as kubelets and load balancers need it. */
  statusForStrangers?: true;
  /** Needs an edition that grants this capability; see editions/edition.ts. */
  capability?: string;
  /** Any site may read its answers, including errors. */
  anyOrigin?: true;
  /** Refuses pages of other sites, whatever the method. */
  onlyKnownSites?: true;
  /**
   * Called for an admitted request before its body is read, which may be unfit to read. Its result is the answer; undefined lets the request
   * continue. Its errors are answered as those of `handle`.
   */
  before?(request: { headers: IncomingHttpHeaders }): Promise<Answer | undefined>;
  /** Why its runs are not recorded in the audit log; for a route with an unsafe method. */
  unaudited?: string;
  /** The audit outcome of a successful answer, for routes where it is not always `done`. */
  auditOutcome?(answer: Answer, isKnownCaller: boolean): AuditOutcome;
  /** In addition to the limits of its access: at most this many requests of one client, and of all clients, in any such window. */
  limit?: { count: number; countInAll?: number; windowSeconds: number };
  /** Also accepts the body of an HTML form. */
  form?: true;
  /**
   * Takes many records: `list` is the member of the body that has them. The body may be larger than others, see bulk.ts. Each fault names its item's
   * key, and each record that a BulkAnswer changed has a separate entry in the audit log.
   */
  bulk?: { list: string };
  /** Takes a body of any type and size: `body` is a Buffer with at most this many of its first bytes, see bodyHead in schemas.ts. */
  bodyHeadBytes?: number;
  /**
   * For routes without parameters: answers a plain GET of exactly this path from memory. undefined leaves it to `handle`, which must answer the same.
   * Return the same Answer for the same bytes, since its headers are prepared once. See ready.ts.
   */
  ready?(headers: IncomingHttpHeaders): (Answer & { body: Buffer | undefined }) | undefined;
  params?: Schema<Params>;
  query?: Schema<Query>;
  body?: Schema<Body>;
  /** The answers by status. A string is a media type other than JSON, an empty string means no body. Several: as the client accepts. */
  responses: Readonly<Record<number, AnswerShape | readonly AnswerShape[]>>;
  /** Errors in addition to those of every route of its kind. */
  errors?: readonly ErrorCode[];
  /** Paths whose parameters are in its answer, each with the name that the value has there. Paths below its own are known. See links.ts. */
  leadsTo?: Readonly<Record<string, string>>;
  handle(request: RouteRequest<Params, Query, Body>): Promise<unknown> | unknown;
}

/** A route whose input types only its handler knows. */
export type Route = RouteDefinition<never, never, never>;

/** Infers a handler's types from its schemas. */
export function route<Params = undefined, Query = undefined, Body = undefined>(definition: RouteDefinition<Params, Query, Body>): Route {
  return definition as unknown as Route;
}

/** The id of a route in the OpenAPI document. */
export function operationId({ method, path }: Pick<Route, "method" | "path">): string {
  const parts = path.replace(/\/$/, "/index").split(/[^a-zA-Z0-9]+/);
  return [method.toLowerCase(), ...parts.filter((part) => part !== "")].join("_");
}
