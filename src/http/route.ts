import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { ErrorCode } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { AnswerShape, Schema } from "./later-schemas.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler is given: everything parsed and checked by the route's schemas. */
export interface RouteRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** As it was sent: `HEAD` where a GET route answers one. */
  method: string;
  headers: IncomingHttpHeaders;
  /** The client's address after the trusted-proxy walk. */
  clientAddress: string;
  /** The address that the connection comes from: a proxy's, where there is one. */
  peerAddress: string;
  requestId: string;
  /** Aborted when the client is gone or the request has timed out. */
  signal: AbortSignal;
  log: Log;
}

/** An answer other than `200` with JSON. A Buffer or string is sent as it stands, a stream is piped. */
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

/** What an operation made of a record, as the API shows it; without `before` it is new. */
export interface RecordChange {
  before?: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/** The answer of an operation on many records, with those that it changed for the audit log. */
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
 * One route as data: what it takes, what it answers, who may call it. The server, the OpenAPI document, the surface test
 * and the edition gate all read the same object.
 */
export interface RouteDefinition<Params, Query, Body> {
  method: Method;
  /** With parameters in braces, as the specification writes them: `/api/v1/containers/{id}`. */
  path: string;
  summary: string;
  /** The specification's section. */
  tag: string;
  /** `admin`: /api/v1 with its limits and, when set, the admin token. `public`: with the public limits. `open`: neither. */
  access: "admin" | "public" | "open";
  /** Exempt from the 10 s timeout: it streams. */
  stream?: true;
  /** A check of an endpoint may ask it; other routes of `admin` refuse, since the login of a proxy between may have let the check through. */
  answersProbes?: true;
  /** Whoever sends no admin token where one is asked for learns the status of its answer, and nothing else: so a kubelet or a balancer asks. */
  statusForStrangers?: true;
  /** Only with an edition that grants this; see editions/edition.ts. */
  capability?: string;
  /** Any site may read its answers, also those that refuse. */
  anyOrigin?: true;
  /** Whatever its method, a page of another site is refused. */
  onlyKnownSites?: true;
  /**
   * Asked when a request was admitted and before anything of its body is read, which may be what is not fit to be read: what it answers is the answer,
   * undefined lets the request continue. What it throws is answered as what `handle` throws.
   */
  before?(request: { headers: IncomingHttpHeaders }): Promise<Answer | undefined>;
  /** Why its runs are not in the audit log, for one by an unsafe method. */
  unaudited?: string;
  /** What an answer other than an error means to the audit log, where it is not always that something was done. */
  auditOutcome?(answer: Answer, isKnownCaller: boolean): AuditOutcome;
  /** In addition to the limits of its access: at most this many requests of one client, and of all together, in any such window. */
  limit?: { count: number; countInAll?: number; windowSeconds: number };
  /** Also takes what an HTML form sends. */
  form?: true;
  /**
   * Takes many records: `list` names them in its body. The body may be larger than others, see bulk.ts; each mistake names its item's key, and each record
   * that a BulkAnswer changed has its own entry in the audit log.
   */
  bulk?: { list: string };
  /** Takes a body of any type and size: `body` is a Buffer of at most so many of its first bytes, see bodyHead in schemas.ts. */
  bodyHeadBytes?: number;
  /**
   * For routes without parameters: the answer to a plain GET of exactly this path, from memory; undefined leaves it to `handle`, which must answer
   * the same. The same Answer for the same bytes, since its headers are made ready too. See ready.ts.
   */
  ready?(headers: IncomingHttpHeaders): (Answer & { body: Buffer | undefined }) | undefined;
  params?: Schema<Params>;
  query?: Schema<Query>;
  body?: Schema<Body>;
  /**
   * What it answers, by status; a string names a media type that is not JSON, an empty one that there is no body. Several: as the client asks.
   */
  responses: Readonly<Record<number, AnswerShape | readonly AnswerShape[]>>;
  /** What it refuses in addition to what any route of its kind may. */
  errors?: readonly ErrorCode[];
  /** Paths for which its answer has what they take, by the name that this has there; those below its own path are known. See links.ts. */
  leadsTo?: Readonly<Record<string, string>>;
  handle(request: RouteRequest<Params, Query, Body>): Promise<unknown> | unknown;
}

/** A route whose parameters are known to the handler alone. */
export type Route = RouteDefinition<never, never, never>;

/** Infers a handler's types from its schemas. */
export function route<Params = undefined, Query = undefined, Body = undefined>(definition: RouteDefinition<Params, Query, Body>): Route {
  return definition as unknown as Route;
}

/** How the OpenAPI document calls a route. */
export function operationId({ method, path }: Pick<Route, "method" | "path">): string {
  const parts = path.replace(/\/$/, "/index").split(/[^a-zA-Z0-9]+/);
  return [method.toLowerCase(), ...parts.filter((part) => part !== "")].join("_");
}
