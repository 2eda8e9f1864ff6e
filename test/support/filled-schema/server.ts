import { generateKeyPairSync, sign } from "node:crypto";
import { DAY_MS } from "../../../src/contract/time.ts";
import { createServer, type Server } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { createFakeClock } from "../fake-clock.ts";
import { temporaryFolder } from "../program.ts";
import { MCP_CLIENT } from "./access.ts";
import { ago, NOW_MS } from "./row.ts";

/** Starts the whole program on a filled database, at the time at which that was used last: licensed, without a runtime, with agents and assistants. */
export async function startOnFilledDatabase(databaseEnv: Record<string, string>): Promise<Server & { url: string }> {
  const issuer = generateKeyPairSync("ed25519");
  const licence = { id: "L-1", organisation: "Harbour", edition: "pro", issued_at: at(-1), expires_at: at(300) };
  const payload = Buffer.from(JSON.stringify(licence));
  const start = parseConfig({
    argv: [],
    env: {
      SERVICE_ADDR: "127.0.0.1:0",
      SERVICE_BASE_URL: "https://watch.example",
      SERVICE_DATA_DIR: temporaryFolder(),
      SERVICE_LICENSE_KEY: `${payload.toString("base64url")}.${sign(null, payload, issuer.privateKey).toString("base64url")}`,
      SERVICE_MCP: "true",
      SERVICE_MCP_CLIENT_ID: MCP_CLIENT.id,
      SERVICE_MCP_CLIENT_SECRET: MCP_CLIENT.secret,
      SERVICE_RATE_LIMIT: "100000",
      ...databaseEnv,
    },
  });
  if (!("config" in start)) throw new Error("the options ask for information only");
  const publicKeyPem = issuer.publicKey.export({ type: "spki", format: "pem" }).toString();
  const server = createServer({
    config: start.config,
    build: { version: "0.0.0", builtAt: new Date(NOW_MS), publicKeyPem },
    runtime: undefined,
    webRoot: temporaryFolder(),
    clock: createFakeClock(new Date(NOW_MS)),
    log: silentLog,
  });
  return { ...server, url: (await server.start()).url };
}

function at(days: number): string {
  return new Date(ago(-days * DAY_MS)).toISOString();
}
