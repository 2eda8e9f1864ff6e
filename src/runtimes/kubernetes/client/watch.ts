import { ServiceError } from "../../../platform/errors.ts";
import { isObject } from "../../../platform/object.ts";
import { nextTurnWhenDue } from "../../../platform/clock.ts";
import type { ApiRefusal, KubernetesClient } from "./client.ts";
import { MAX_OBJECT_BYTES } from "./list.ts";
import { createLineSplitter } from "../../line-splitter.ts";

/** How long one watch lasts; then the next one begins where it ended. Not all at the same time. */
const SHORTEST_WATCH_SECONDS = 240;
const WATCH_SPREAD_SECONDS = 120;
/** A watch that the API server does not end by then is ended here. */
const GRACE_MS = 30_000;

/** `bookmark`: nothing else happened until the version that it has. */
export interface WatchEvent {
  kind: "stored" | "removed" | "bookmark";
  object: unknown;
}

const KINDS: ReadonlyMap<unknown, WatchEvent["kind"]> = new Map([
  ["ADDED", "stored"],
  ["MODIFIED", "stored"],
  ["DELETED", "removed"],
  ["BOOKMARK", "bookmark"],
]);

/** How a watch ended: in time, refused, or since what it was to begin with is forgotten; then it has to be listed again. */
export type WatchEnd = "over" | "expired" | { refused: ApiRefusal };

export interface WatchRequest {
  path: string;
  fieldSelector?: string | undefined;
  resourceVersion: string;
  signal: AbortSignal;
  onOpen: () => void;
  /** False: what it says cannot follow what is known, and it has to be listed again. */
  onEvent: (event: WatchEvent) => boolean;
}

/** Follows a resource from a version on until the watch ends. Throws `runtime_unavailable` when the connection ends or stays silent too long. */
export async function followWatch(client: Pick<KubernetesClient, "address" | "stream">, request: WatchRequest): Promise<WatchEnd> {
  const { path, fieldSelector, resourceVersion, signal, onOpen, onEvent } = request;
  const timeoutSeconds = Math.round(SHORTEST_WATCH_SECONDS + Math.random() * WATCH_SPREAD_SECONDS);
  const query = {
    watch: "true",
    resourceVersion,
    allowWatchBookmarks: "true",
    timeoutSeconds: String(timeoutSeconds),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  const answer = await client.stream(path, { query, signal, idleTimeoutMs: timeoutSeconds * 1000 + GRACE_MS });
  if ("refused" in answer) return answer.refused.status === 410 ? "expired" : answer;
  onOpen();
  const lines = createLineSplitter(MAX_OBJECT_BYTES);
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    for (const line of lines.push(chunk)) {
      // What it was about cannot be known, so everything has to be looked at again.
      if (line === null) return "expired";
      const { type, object } = readEvent(line, client.address);
      if (type === "ERROR") return errorEnd(object);
      const kind = KINDS.get(type);
      if (kind !== undefined && !onEvent({ kind, object })) return "expired";
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
  }
  return "over";
}

function readEvent(line: string, address: string): { type: unknown; object: unknown } {
  try {
    const event: unknown = JSON.parse(line);
    if (isObject(event)) return { type: event["type"], object: event["object"] };
  } catch {
    // Handled below.
  }
  throw new ServiceError(
    "runtime_unavailable",
    `The Kubernetes API at ${address} cannot be used: a watch says what is no event. It is tried again.`,
  );
}

/** A watch may be refused while it is under way, in a separate line. */
function errorEnd(object: unknown): WatchEnd {
  const status = isObject(object) ? object : {};
  const { code, reason, message } = { code: status["code"], reason: status["reason"], message: status["message"] };
  if (code === 410 || reason === "Expired" || reason === "Gone") return "expired";
  return {
    refused: {
      status: typeof code === "number" ? code : 500,
      reason: typeof reason === "string" ? reason : null,
      message: typeof message === "string" ? message.slice(0, 1000) : "The watch failed.",
    },
  };
}
