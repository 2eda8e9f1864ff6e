import type { Server } from "@modelcontextprotocol/server";
import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { quotedText } from "../foreign-text.ts";
import type { McpResources } from "../resource.ts";
import { inTime } from "./call.ts";
import { type Caller, MOST_URI, NO_READING, RpcError } from "./protocol.ts";
import { createTurns } from "./turns.ts";

/** Notifies clients of resources that changed, at most once a second each. */
export interface Subscriptions {
  /** Lets the client of a connection or session subscribe, as long as it may read, from when that is connected until it is closed. */
  accept(server: Server, caller: Pick<Caller, "scopes">): void;
  /** Connections and sessions that are open. */
  count(): number;
  stop(): void;
}

const EVERY_MS = 1_000;
const MOST_OF_ONE = 100;
/** Between two notifications; what is beyond is left out, a client asks for the list now and then. */
const MOST_CHANGED = 1_000;
/** Whether a resource is there is looked up one at a time for each client. */
const TURNS = { running: 1, waiting: MOST_OF_ONE, waitingInAll: 1_000 };

/** `onUpdated` is called with every change too, for clients without a session. */
export function createSubscriptions({
  resources,
  onUpdated,
  clock,
}: {
  resources: McpResources;
  onUpdated: (uri: string) => void;
  clock: Clock;
}): Subscriptions {
  const servers = new Map<Server, Set<string>>();
  const changed = new Set<string>();
  const turns = createTurns(TURNS);
  let accepted = 0;
  let timer: Timer | undefined;

  function notify(): void {
    timer = undefined;
    const uris = [...changed];
    changed.clear();
    uris.forEach(onUpdated);
    for (const [server, wanted] of servers)
      for (const uri of uris) if (wanted.has(uri) || isOfToday(server)) server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  /** Keeps a server from when it is connected until its transport is closed, by whom or how ever. */
  function keep(server: Server, wanted: Set<string>): void {
    const connect = server.connect.bind(server);
    server.connect = (transport) => {
      const onClose = transport.onclose;
      servers.set(server, wanted);
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else, and calls on what was here before
      transport.onclose = () => {
        servers.delete(server);
        onClose?.();
      };
      return connect(transport);
    };
  }

  /** Throws, in words for a client, when there is nothing to read at this address. */
  async function find(uri: string, turn: string, signal: AbortSignal): Promise<void> {
    try {
      await turns.take(turn, () => inTime((call) => resources.read(uri, call), { signal, clock }));
    } catch (error) {
      if (!isServiceError(error)) throw new RpcError(-32_603, "Internal error");
      throw new RpcError(error.code === "not_found" ? -32_602 : -32_603, quotedText(error.message));
    }
  }

  const ignore = resources.onChanged?.((uri) => {
    if (changed.size < MOST_CHANGED) changed.add(uri);
    timer ??= clock.after(EVERY_MS, notify);
  });

  return {
    accept(server, caller) {
      if (resources.onChanged === undefined) return;
      accepted += 1;
      const turn = String(accepted);
      const wanted = new Set<string>();
      keep(server, wanted);
      server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, { mcpReq }) => {
        if (!caller.scopes.includes("monitor:read")) throw new RpcError(-32_600, NO_READING);
        if (uri.length > MOST_URI) throw new RpcError(-32_602, "There is no such resource.");
        if (wanted.has(uri)) return {};
        if (wanted.size >= MOST_OF_ONE)
          throw new RpcError(-32_600, `There are ${MOST_OF_ONE} subscriptions already. End one with resources/unsubscribe first.`);
        // Takes its place before it is looked up, so that many at once are not more than there is room for.
        wanted.add(uri);
        try {
          await find(uri, turn, mcpReq.signal);
        } catch (error) {
          wanted.delete(uri);
          throw error;
        }
        return {};
      });
      server.setRequestHandler("resources/unsubscribe", ({ params }) => {
        wanted.delete(params.uri);
        return {};
      });
    },
    count: () => servers.size,
    stop() {
      ignore?.();
      timer?.cancel();
      servers.clear();
    },
  };
}

/** Since this version the SDK itself knows the subscriptions of each listening client. */
function isOfToday(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
}
