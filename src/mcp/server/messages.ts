import { isObject } from "../../platform/object.ts";
import { cleanName } from "../../platform/text.ts";

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

/** What waits for an answer, as a word that tells `1` from `"1"`. */
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
