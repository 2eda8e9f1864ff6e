import type { Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { McpResources, McpPrompt } from "../resource.ts";
import type { Tool } from "../tool.ts";
import type { McpAccess } from "../access.ts";
import type { ToolWrite } from "./call.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { openProtocol, type Protocol } from "./protocol.ts";
import { mcpRoutes } from "./routes.ts";
import { createSocket, type McpSocket } from "./socket.ts";
import { createTurns } from "./turns.ts";

export type { ToolWrite } from "./call.ts";
export type { McpSocket } from "./socket.ts";

export interface McpServerDependencies {
  /** Asked once, when MCP is first used. */
  tools: () => Promise<readonly Tool[]>;
  resources: () => Promise<McpResources>;
  prompts: () => Promise<readonly McpPrompt[]>;
  /** Who may use MCP over HTTP; undefined: it is not served there, and only the socket is. */
  access: McpAccess | undefined;
  /** Of this program. */
  version: string;
  /** Throws unless an edition in force grants the capability. */
  gate: (capability: string) => void;
  /** A tool that changes something was called; resolves once that was kept. */
  onWrite: (write: ToolWrite) => Promise<void>;
  /** A client sent its name, under this grant. */
  onClientNamed?: (grantId: number, name: string) => void;
  clock: Clock;
  log: Log;
}

export interface McpServer {
  /** /mcp; empty without `access`. */
  routes: Route[];
  /** For clients on this machine: the program with `--mcp-stdio` connects to it. */
  socket: McpSocket;
  /** Ends what is open under a grant that was taken back. */
  endGrant(grantId: number): Promise<void>;
  /** Ends sessions, streams and the socket. */
  stop(): Promise<void>;
}

/** Serves assistants by the Model Context Protocol. Nothing of it is loaded before the first one asks. */
export function createMcpServer({ access, onClientNamed = () => undefined, ...offered }: McpServerDependencies): McpServer {
  const { clock } = offered;
  const log = offered.log.child({ component: "mcp" });
  const turns = createTurns(TURNS);
  let opened: Promise<Served> | undefined;

  async function open(): Promise<Served> {
    const protocol = await openProtocol({ ...offered, turns, log });
    return { protocol, exchange: createExchange({ protocol, clock, log }) };
  }

  /** Once; again after it failed. */
  function served(): Promise<Served> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  const socket = createSocket({ served, log });
  return {
    routes: access === undefined ? [] : mcpRoutes({ access, exchange: async () => (await served()).exchange, onClientNamed }),
    socket,
    async endGrant(grantId) {
      await (await opened)?.exchange.endGrant(grantId);
    },
    async stop() {
      await socket.stop();
      await (await opened)?.exchange.stop();
    },
  };
}

/** What answers, once it is loaded. */
export interface Served {
  protocol: Protocol;
  exchange: Exchange;
}

const TURNS = { running: 8, waiting: 1_000, waitingInAll: 2_000 };
