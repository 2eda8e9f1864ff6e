/** A message of JSON-RPC, as far as the bridge reads it. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

export type Id = string | number;

/** Undefined for what is no message. */
export function parseMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRequest(message: Message): message is Message & { id: Id; method: string } {
  return isId(message.id) && typeof message.method === "string";
}

export function isAnswer(message: Message): message is Message & { id: Id } {
  return isId(message.id) && message.method === undefined;
}

/** The line that answers a request with an error. */
export function failureOf(id: Id | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

function isId(id: unknown): id is Id {
  return typeof id === "string" || typeof id === "number";
}
