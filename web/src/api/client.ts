import type { z } from "zod";
import type { ErrorCode } from "../../../src/platform/errors.ts";
import { noteNewestEvent } from "./first-answers.ts";
import type { Routes } from "./routes.ts";

/** The server answered that it could not, or could not be reached (`unreachable`). Its message is fit to be shown. */
export class ApiError extends Error {
  readonly code: ErrorCode | "unreachable" | "not_understood";
  readonly requestId: string | undefined;
  readonly details: unknown;
  /** How long to wait before asking again, where the server says so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ApiError["code"], message: string, { requestId, details, retryAfterMs }: ErrorParts = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

interface ErrorParts {
  requestId?: string | undefined;
  details?: unknown;
  retryAfterMs?: number | undefined;
}

export function isApiError(error: unknown, code?: ApiError["code"]): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The name of a route, as the server declares it: `GET /api/v1/containers/{id}`. */
type RouteName = keyof Routes;
type AnswerOf<Name extends RouteName> = Routes[Name]["answer"];
/** What narrows an answer; what is undefined does not. */
type QueryOf<Name extends RouteName> = Routes[Name] extends { query: infer Schema extends z.ZodObject }
  ? // A number is one here and a text in the address; a cursor is a text, whatever the server makes of it.
    { [Key in keyof z.input<Schema>]?: z.input<Schema>[Key] | z.output<Schema>[Key & keyof z.output<Schema>] | undefined }
  : never;

/** The names between braces. */
type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamOf<Rest> : never;
type Params<Name extends RouteName> = [ParamOf<Name>] extends [never] ? object : { params: Record<ParamOf<Name>, string | number> };
type Query<Name extends RouteName> = Routes[Name] extends { query: unknown } ? { query?: QueryOf<Name> } : object;
type Body<Name extends RouteName> = Routes[Name] extends { body: infer Sent }
  ? undefined extends Sent
    ? { body?: Sent }
    : { body: Sent }
  : object;

interface Sending {
  signal?: AbortSignal;
  /** It is sent even if the page is left at once. */
  keepalive?: boolean;
}

type Where<Name extends RouteName> = Params<Name> & Query<Name>;
type Request<Name extends RouteName> = Where<Name> & Body<Name> & Sending;
/** May be left out where nothing in it must be there. */
type Given<Asked> = object extends Asked ? [given?: Asked] : [given: Asked];

/** As the types above leave it. */
interface Untyped extends Sending {
  params?: Readonly<Record<string, string | number>>;
  query?: object;
  body?: unknown;
}

/** Asks the server; resolves with the answer. Its schema says what that is: it is of the same build, so it is not checked again here. */
export async function request<Name extends RouteName>(
  name: Name,
  ...[given = {} as Request<Name>]: Given<Request<Name>>
): Promise<AnswerOf<Name>> {
  const asked: Untyped = given;
  const { body = {}, signal, keepalive } = asked;
  const method = name.slice(0, name.indexOf(" "));
  const sends = method !== "GET" && method !== "DELETE";
  return (await answerTo(addressOf(name, asked), {
    method,
    ...(sends && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal !== undefined && { signal }),
    ...(keepalive !== undefined && { keepalive }),
  })) as AnswerOf<Name>;
}

/** The address of a route, for what the browser loads by itself. */
export function urlOf<Name extends RouteName>(name: Name, ...[given = {} as Where<Name>]: Given<Where<Name>>): string {
  return addressOf(name, given);
}

function addressOf(name: string, { params = {}, query = {} }: Pick<Untyped, "params" | "query">): string {
  const path = name.slice(name.indexOf(" ") + 1).replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) pairs.set(key, String(value));
  return pairs.size === 0 ? path : `${path}?${pairs}`;
}

interface Asking extends RequestInit {
  headers?: Record<string, string>;
}

async function answerTo(url: string, asking: Asking): Promise<unknown> {
  const response = await reach(url, asking);
  noteNewestEvent(response.headers.get("x-last-event-id"));
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response, body, requestId);
  if (body === undefined && response.status !== 204)
    throw new ApiError("not_understood", "The server's answer was not JSON. Is a proxy answering in its place?", { requestId });
  return body;
}

async function reach(url: string, { headers, ...rest }: Asking): Promise<Response> {
  try {
    return await fetch(url, { ...rest, headers: { accept: "application/json", ...headers } });
  } catch (error) {
    if (rest.signal?.aborted === true) throw error;
    throw new ApiError("unreachable", "Cannot reach the server. Check that it is running and that this device is on its network.");
  }
}

function errorOf({ status, headers }: Response, body: unknown, requestId: string | undefined): ApiError {
  const retryAfterMs = Number(headers.get("retry-after") ?? NaN) * 1000;
  if (isEnvelope(body))
    return new ApiError(body.error.code, body.error.message, {
      requestId,
      details: body.error.details,
      retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : undefined,
    });
  return new ApiError("not_understood", `The answer was HTTP ${status} without a reason. Is a proxy answering in the server's place?`, {
    requestId,
  });
}

interface Envelope {
  error: { code: ErrorCode; message: string; details?: unknown };
}

function isEnvelope(body: unknown): body is Envelope {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  const { error } = body;
  return typeof error === "object" && error !== null && "code" in error && "message" in error && typeof error.message === "string";
}
