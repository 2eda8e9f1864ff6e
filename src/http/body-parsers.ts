import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { closeGently } from "./gentle-close.ts";

/**
 * Accepts JSON, or a form where the route takes one. JSON that is nested too deeply, or with keys that could reach a prototype, is refused; an empty
 * body counts as none.
 */
export function addBodyParsers(fastify: FastifyInstance, jsonDepth: number): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text === "") return done(null, undefined);
    if (depthExceeds(String(text), jsonDepth)) return done(new ServiceError("invalid_request", "The body is nested too deep."));
    parseJson(request, String(text), (error, value) => {
      done(
        error === null ? null : new ServiceError("invalid_request", "The body is not valid JSON, or has a key that is reserved."),
        value,
      );
    });
  });
  fastify.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (request, text, done) => {
    if (request.routeOptions.config.definition?.form !== true) {
      return done(new ServiceError("unsupported_media_type", "Send the body as application/json."));
    }
    const form = Object.fromEntries(new URLSearchParams(String(text)));
    done(null, text === "" ? undefined : form);
  });
  const parseJson = fastify.getDefaultJsonParser("error", "error");
}

/** Checked before parsing, so that nothing recursive ever gets a value that is nested too deeply. */
function depthExceeds(json: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/**
 * For routes with `bodyHeadBytes`: keeps the beginning of a body of any type, and reads and drops the rest, so that the client can finish sending. A
 * body larger than `mostBytes` is answered before its end, and its connection is closed.
 */
export function addBodyHeadParser(scope: FastifyInstance, { mostBytes, clock }: { mostBytes: number; clock: Clock }): void {
  scope.removeAllContentTypeParsers();
  scope.addHook("onRequest", (request, _reply, done) => {
    // The body is only stored, so a type that cannot be parsed must not be refused.
    delete request.headers["content-type"];
    done();
  });
  scope.addContentTypeParser("*", (request, payload, done) => {
    const keepBytes = request.routeOptions.config.definition?.bodyHeadBytes ?? 0;
    readHead(payload, { keepBytes, mostBytes }, (error, head, isCutOff) => {
      request.bodyIsCutOff = isCutOff;
      if (isCutOff) closeGently(request.raw, clock);
      done(error, head);
    });
  });
}

/** Calls back once: at the end of the stream, when it is too long, or when it fails. */
function readHead(
  stream: Readable,
  { keepBytes, mostBytes }: { keepBytes: number; mostBytes: number },
  callback: (error: Error | null, head: Buffer | undefined, isCutOff: boolean) => void,
): void {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;

  function take(chunk: Buffer): void {
    readBytes += chunk.length;
    if (keptBytes < keepBytes) {
      const part = chunk.subarray(0, keepBytes - keptBytes);
      // A copy, since a slice would keep all that arrived with it in memory.
      kept.push(Buffer.from(part));
      keptBytes += part.length;
    }
    if (readBytes > mostBytes) finish(null, true);
  }

  function finish(error: Error | null, isCutOff: boolean): void {
    stream.off("data", take).off("end", ended).off("error", failed);
    // The rest is dropped, and later errors of the stream matter to nobody.
    stream.on("error", () => undefined).resume();
    callback(error, error === null && keptBytes > 0 ? Buffer.concat(kept) : undefined, isCutOff);
  }

  const ended = (): void => finish(null, false);
  const failed = (error: Error): void => finish(error, false);
  stream.on("data", take).on("end", ended).on("error", failed);
}
