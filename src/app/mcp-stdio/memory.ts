import { isObject } from "../../platform/object.ts";
import type { LineSocket } from "./line-socket.ts";

/** A message of JSON-RPC, as far as the bridge reads it. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

type Id = string | number;

/** Undefined for what is no message. */
export function parseMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
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

/** What a client sent of itself, to replay it to an instance that does not know it. */
export interface Memory {
  /** Keeps what must be replayed. */
  note(message: Message, line: string): void;
  isInitialized(): boolean;
  /** Sends all of it; resolves when it was answered. */
  replay(socket: LineSocket): Promise<void>;
  /** True for the answer to what was replayed: it is not for the client. */
  settle(id: Id): boolean;
  /** The connection is gone, and with it what was asked over it. */
  forgetOwn(): void;
}

/** As many, and of such length, as an instance takes. */
const MOST_SUBSCRIPTIONS = 100;
const MOST_URI = 500;
/** No id of a client begins so. */
const OWN = "binnacle-bridge-";

export function createMemory(): Memory {
  let initialize: Message | undefined;
  let initialized: string | undefined;
  const subscribed = new Map<string, Message>();
  const asked = new Map<string, () => void>();
  let count = 0;

  function ask(socket: LineSocket, message: Message): Promise<void> {
    count += 1;
    const id = `${OWN}${count}`;
    return new Promise((resolve) => {
      asked.set(id, resolve);
      void socket.send(JSON.stringify({ ...message, id }));
    });
  }

  return {
    note(message, line) {
      if (isRequest(message) && message.method === "initialize") initialize = message;
      if (message.method === "notifications/initialized") initialized = line;
      const uri = uriOf(message);
      if (uri === undefined) return;
      if (message.method === "resources/subscribe" && uri.length <= MOST_URI && subscribed.size < MOST_SUBSCRIPTIONS)
        subscribed.set(uri, message);
      if (message.method === "resources/unsubscribe") subscribed.delete(uri);
    },
    isInitialized: () => initialize !== undefined,
    async replay(socket) {
      if (initialize === undefined) return;
      await ask(socket, initialize);
      if (initialized !== undefined) await socket.send(initialized);
      await Promise.all([...subscribed.values()].map((message) => ask(socket, message)));
    },
    settle(id) {
      const resolve = typeof id === "string" ? asked.get(id) : undefined;
      if (resolve === undefined || typeof id !== "string") return false;
      asked.delete(id);
      resolve();
      return true;
    },
    forgetOwn() {
      for (const resolve of asked.values()) resolve();
      asked.clear();
    },
  };
}

function uriOf({ params }: Message): string | undefined {
  return isObject(params) && typeof params["uri"] === "string" ? params["uri"] : undefined;
}
