import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { codeOf, ERROR_TABLE, errorBody, ServiceError, isServiceError } from "../platform/errors.ts";
import type { ErrorCode } from "../platform/errors.ts";
import { isObject } from "../platform/object.ts";
import { createCompression } from "./compression.ts";
import { Answer } from "./route.ts";
import type { Route } from "./route.ts";

export const JSON_MEDIA = "application/json; charset=utf-8";

/** Smaller answers would not gain by compression. */
const LEAST_COMPRESSED_BYTES = 1024;

/** Sends answers. Text of a kilobyte or more is compressed first. */
export interface Replies {
  /**
   * Sends the result of a handler: an Answer as it says, undefined as 204, a Buffer as it is, anything else as JSON with 200. Resolves when it was
   * handed over; undefined when it already is.
   */
  sendResult(reply: FastifyReply, result: unknown, media: string): Promise<void> | undefined;
  /** Sends only the status of a handler's result; 204 in place of 200, since there is no body. */
  sendStatus(reply: FastifyReply, result: unknown): void;
  /** Sends the envelope of an error. Source: specification, Errors. */
  sendError(reply: FastifyReply, error: ServiceError): void;
}

export function createReplies(): Replies {
  const compress = createCompression();

  function send(reply: FastifyReply, body: string | Buffer | Readable): Promise<void> | undefined {
    if (body instanceof Readable || Buffer.byteLength(body) < LEAST_COMPRESSED_BYTES) {
      reply.send(body);
      return undefined;
    }
    return compress(reply, body)
      .then((made) => void reply.send(made))
      .catch((error: unknown) => void reply.send(error));
  }

  return {
    sendResult(reply, result, media) {
      if (result instanceof Answer) reply.code(result.status).headers(result.headers);
      else if (result === undefined) reply.code(204);
      const body: unknown = result instanceof Answer ? result.body : result;
      if (body === undefined) {
        reply.send();
        return undefined;
      }
      const isRaw = typeof body === "string" || Buffer.isBuffer(body) || body instanceof Readable;
      if (!reply.hasHeader("content-type")) reply.header("content-type", isRaw ? media : JSON_MEDIA);
      return send(reply, isRaw ? body : JSON.stringify(body));
    },
    sendStatus(reply, result) {
      const status = result instanceof Answer ? result.status : 200;
      reply.code(status === 200 ? 204 : status).send();
    },
    sendError(reply, error) {
      reply.code(ERROR_TABLE[error.code].http).header("content-type", JSON_MEDIA);
      if (error.code === "rate_limited") reply.header("retry-after", String(retrySecondsOf(error)));
      if (error.code === "unauthorized" && !reply.hasHeader("www-authenticate"))
        reply.header("www-authenticate", 'Bearer realm="binnacle"');
      void send(reply, errorBody(error));
    },
  };
}

/** In how many seconds the request may be repeated. */
export function retrySecondsOf({ details }: ServiceError): number {
  return isObject(details) && "retry_after_seconds" in details ? Number(details["retry_after_seconds"]) : 1;
}

const TRANSPORT_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is larger than SERVICE_MAX_BODY_SIZE allows."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
  FST_ERR_BAD_URL: ["invalid_request", "The path is not valid percent-encoding."],
  FST_ERR_MAX_PARAM_LENGTH: ["invalid_request", "A part of the path is too long."],
  ECONNRESET: ["invalid_request", "The request ended before its body did."],
};

function formatMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 ** 2) * 100) / 100} MiB`;
}

/** The part of an error that the caller may see; undefined for a defect, which is only logged. `bodyLimit` is that of the route. */
export function knownError(
  error: unknown,
  { definition, bodyLimit }: { definition?: Route | undefined; bodyLimit: number },
): ServiceError | undefined {
  if (isServiceError(error)) return error;
  const code = codeOf(error);
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE" && definition?.bulk !== undefined)
    return new ServiceError("payload_too_large", `The body is larger than ${formatMebibytes(bodyLimit)}. Send fewer items at once.`);
  const known = TRANSPORT_ERRORS[code];
  return known === undefined ? undefined : new ServiceError(...known);
}
