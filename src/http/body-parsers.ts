import type { FastifyInstance } from "fastify";
import { ServiceError } from "../platform/errors.ts";

/**
 * Bodies are JSON, or a form where the route takes one. JSON nested too deep, or with keys that could reach a prototype, is
 * refused; an empty body is none.
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

/** Looks before parsing, so that nothing recursive ever sees a value that is too deep. */
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
