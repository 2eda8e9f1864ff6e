import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { AdminAccess } from "../http/admin-access.ts";
import type { AuditSink, AuditedOperation } from "../http/audit.ts";
import { schemasOf } from "../http/later-schemas.ts";
import { route, type Route } from "../http/route.ts";
import { openAccess } from "../mcp/access.ts";
import { createOAuth } from "../mcp/oauth/index.ts";
import type { McpView } from "../mcp/server/answers.ts";
import { createMcpServer, type ToolWrite } from "../mcp/server/index.ts";
import { SCOPES } from "../mcp/tool.ts";
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { OfferedToAssistants } from "./offered-to-assistants.ts";
import { mcpSocketOf, stdioCommand } from "./mcp-stdio/stdio-command.ts";
import { shortRecord } from "../http/audited-entity.ts";

/** What `--mcp-stdio` refuses is not offered. */
const OF_DEMO = {
  available: false,
  reason: "A demo answers no assistant over standard input. Start Binnacle without --demo, or use HTTP.",
};

const answer = schemasOf(() => import("../mcp/server/answers.ts"));

export interface McpParts {
  config: Config;
  version: string;
  isDemo: boolean;
  database: Database;
  adminAccess: AdminAccess | undefined;
  audit: AuditSink;
  editions: Editions;
  offered: OfferedToAssistants;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** What assistants reach: /mcp with its OAuth where it is asked for, and the socket of `--mcp-stdio` always. Registered with the lifecycle. */
export function openMcp(parts: McpParts, lifecycle: Lifecycle): { routes: Route[] } {
  const { config, version, isDemo, database, adminAccess, audit, editions, offered, clock, scheduler, log } = parts;
  const oauth =
    config.mcp?.kind !== "oauth"
      ? undefined
      : createOAuth({
          database,
          clientId: config.mcp.clientId,
          clientSecret: config.mcp.clientSecret.reveal(),
          redirectUris: config.mcp.redirectUris,
          baseUrl: config.baseUrl,
          adminAccess,
          clock,
          scheduler,
          log,
        });

  const server = createMcpServer({
    tools: offered.tools,
    resources: offered.resources,
    prompts: offered.prompts,
    access: config.mcp === undefined ? undefined : (oauth?.access ?? openAccess),
    version,
    gate: editions.require,
    onWrite: (write) => audit.record(auditedWrite(write)),
    ...(oauth === undefined ? {} : { onClientNamed: oauth.noteClient }),
    clock,
    log,
  });

  function close(connectionId: number): void {
    server.endGrant(connectionId).catch((error: unknown) => log.warn({ reason: messageOf(error) }, "an MCP session did not end"));
  }

  if (oauth !== undefined) lifecycle.add("MCP connections", { start: () => oauth.start({ close }) });
  lifecycle.add("MCP", {
    async start() {
      if (config.mcpAllowUnauthenticated) log.warn({}, unauthenticatedWarning(config));
      if (oauth !== undefined && isEveryInterface(config.baseUrl)) {
        log.warn({ base_url: config.baseUrl }, "no assistant can reach this base URL: set SERVICE_BASE_URL to the address that they use");
      }
      await server.socket.start(mcpSocketOf(config.dataDir));
    },
    async stop() {
      await server.socket.stop();
      await server.stop();
    },
  });

  async function view(): Promise<McpView> {
    const { mcp } = config;
    const [tools, prompts] = await Promise.all([offered.tools(), offered.prompts()]);
    return {
      enabled: mcp !== undefined,
      url: mcp === undefined ? null : `${config.baseUrl}/mcp`,
      authentication: mcp === undefined ? null : mcp.kind === "oauth" ? "oauth" : "none",
      client_id: mcp?.kind === "oauth" ? mcp.clientId : null,
      redirect_uris: mcp?.kind === "oauth" ? [...mcp.redirectUris] : [],
      scopes: [...SCOPES],
      stdio: {
        ...(isDemo ? OF_DEMO : server.socket.state()),
        command: stdioCommand({ execPath: process.execPath, entry: process.argv[1] ?? "", dataDir: config.dataDir }),
      },
      tools: tools.map(({ name, title, description, writes }) => ({ name, title, description, writes: writes === true })),
      prompts: prompts.map(({ name, title, description }) => ({ name, title, description })),
    };
  }

  return {
    routes: [
      route({
        method: "GET",
        path: "/api/v1/mcp",
        summary: "How assistants connect, and what they may ask",
        tag: "MCP routes",
        access: "admin",
        responses: { 200: answer("mcpView") },
        handle: view,
      }),
      ...(oauth?.routes ?? []),
      ...server.routes,
    ],
  };
}

function unauthenticatedWarning({ mcp }: Config): string {
  return mcp?.kind === "open"
    ? "SERVICE_MCP_ALLOW_UNAUTHENTICATED is set: whoever reaches /mcp may read all that is watched"
    : "SERVICE_MCP_ALLOW_UNAUTHENTICATED is set, and has no effect: /mcp is off, or there are credentials";
}

function isEveryInterface(url: string): boolean {
  return ["0.0.0.0", "[::]"].includes(new URL(url).hostname);
}

/** What an assistant did, for the audit log: a tool names the record by an argument such as `alert_id`. */
function auditedWrite({ tool, clientName, args, isRefused }: ToolWrite): AuditedOperation {
  const [name, id] = Object.entries(args ?? {}).find(([key]) => key.endsWith("_id")) ?? [];
  return {
    actor: { kind: "assistant", name: clientName },
    address: null,
    operation: tool,
    entity: name === undefined ? null : { type: name.replace(/_id$/, ""), id: String(id), name: null },
    outcome: isRefused ? "refused" : "done",
    error: isRefused ? "tool_failed" : null,
    before: null,
    after: args === null ? null : shortRecord(args),
  };
}
