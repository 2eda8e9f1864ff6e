import type { ErrorCode } from "../../../src/platform/errors.ts";

/** The server answered that it could not, or could not be reached (`unreachable`). Its message is fit to be shown. */
export class ApiError extends Error {
  readonly code: ErrorCode | "unreachable" | "not_understood";
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(code: ApiError["code"], message: string, { requestId, details }: { requestId?: string | undefined; details?: unknown } = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

export function isApiError(error: unknown, code?: ApiError["code"]): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

export type Parameters = Record<string, string | number | boolean | undefined>;

/** A path with its query; parameters that are undefined are left out. */
export function apiUrl(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

interface Reading {
  parameters?: Parameters;
  signal?: AbortSignal;
}

/** Reads JSON. The server's schema says what `Answer` is: it is of the same build, so it is not checked again here. */
export function getJson<Answer>(path: string, { parameters, signal }: Reading = {}): Promise<Answer> {
  return answerTo<Answer>(apiUrl(path, parameters), { ...(signal !== undefined && { signal }) });
}

/** Puts `body` in the place of what is there; resolves with the answer. */
export function putJson<Answer>(path: string, body: object): Promise<Answer> {
  return answerTo<Answer>(path, { method: "PUT", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
}

/** Changes what `body` names of what is there; resolves with the answer. */
export function patchJson<Answer>(path: string, body: object): Promise<Answer> {
  return answerTo<Answer>(path, { method: "PATCH", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
}

/** Sends `body`; resolves with the answer. With `keepalive` it is sent even if the page is left at once. */
export function postJson<Answer>(path: string, body: object = {}, { keepalive = false } = {}): Promise<Answer> {
  return answerTo<Answer>(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" }, keepalive });
}

/** Deletes what is there. */
export async function deleteJson(path: string): Promise<void> {
  await answerTo<undefined>(path, { method: "DELETE" });
}

interface Asking extends RequestInit {
  headers?: Record<string, string>;
}

async function answerTo<Answer>(url: string, request: Asking): Promise<Answer> {
  const response = await reach(url, request);
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response.status, body, requestId);
  if (body === undefined && response.status !== 204)
    throw new ApiError("not_understood", "The server's answer was not JSON. Is a proxy answering in its place?", { requestId });
  return body as Answer;
}

async function reach(url: string, { headers, ...request }: Asking): Promise<Response> {
  try {
    return await fetch(url, { ...request, headers: { accept: "application/json", ...headers } });
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw new ApiError("unreachable", "Cannot reach the server. Check that it is running and that this device is on its network.");
  }
}

function errorOf(status: number, body: unknown, requestId: string | undefined): ApiError {
  if (isEnvelope(body)) return new ApiError(body.error.code, body.error.message, { requestId, details: body.error.details });
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
