import type { ErrorCode, ServiceError } from "../../platform/errors.ts";
import { isObject } from "../../platform/object.ts";
import { cleanName } from "../../platform/text.ts";
import { FOREIGN_NOTICE, foreignText, quotedText } from "../foreign-text.ts";

/** What is looked at in JSON-RPC before the SDK reads it. Nothing here is trusted to be of the right shape. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** The messages of a body, which is one message or a batch. */
export function messagesOf(body: unknown): Message[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

export function isInitialize(body: unknown): boolean {
  return isObject(body) && body["method"] === "initialize";
}

/** What waits for an answer, as a word that distinguishes `1` from `"1"`. */
export function requestIdOf({ id, method }: Message): string | undefined {
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? JSON.stringify(id) : undefined;
}

/** Which tool a message calls, and with what. */
export function calledTool({ method, params }: Message): { name: unknown; args: unknown } | undefined {
  return method === "tools/call" && isObject(params) ? { name: params["name"], args: params["arguments"] } : undefined;
}

/** What a client calls itself: in `initialize`, or since 2026-07-28 in every request. */
export function clientNameIn(body: unknown): string | undefined {
  const params = isObject(body) ? body["params"] : undefined;
  if (!isObject(params)) return undefined;
  const meta = params["_meta"];
  const info = isInitialize(body) ? params["clientInfo"] : isObject(meta) ? meta["io.modelcontextprotocol/clientInfo"] : undefined;
  if (!isObject(info)) return undefined;
  const name = [info["title"], info["name"]].find((each) => typeof each === "string" && each !== "");
  return typeof name === "string" ? cleanName(name, 100) || undefined : undefined;
}

/** A refusal as a model gets it: our words by its code, and its message inside of a fence, since that may quote anybody. */
export function failureSentence({ code, message }: ServiceError, next = ""): string {
  if (OWN_MESSAGES.has(code)) return `${quotedText(message)}${next}`;
  return `${SENTENCES[code] ?? "Binnacle refused this."} ${foreignText(message)}${next}\n${FOREIGN_NOTICE}`;
}

/** Messages with these codes quote nobody. */
const OWN_MESSAGES: ReadonlySet<ErrorCode> = new Set(["EDITION_REQUIRED", "rate_limited", "request_timeout"] as const);

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  not_found: "There is no such thing.",
  invalid_request: "The arguments are not valid.",
  validation_failed: "The arguments are not valid.",
  unusable_values: "The values cannot be used.",
  conflict: "Its state does not permit this.",
  already_acknowledged: "The alert is acknowledged already.",
  agent_busy: "Too many logs of that host are read at once. Try again later.",
  agent_offline: "The agent of that host is not connected.",
  runtime_unavailable: "The container engine of that host did not answer as it should.",
  storage_unavailable: "The database cannot be reached. Try again later.",
};
