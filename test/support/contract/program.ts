import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { LICENSES, mintLicense } from "../../../tools/license.ts";
import { fixtureNames, loadIntoPostgres, loadIntoSqlite } from "../filled-schema/fixtures.ts";
import { MCP_CLIENT } from "../filled-schema/access.ts";
import { type Program, startProgram, temporaryFolder } from "../program.ts";
import type { Document } from "./document.ts";

const TOKEN = "contract-0123456789abcdef";
const ACCESS_TOKEN = "contract".padEnd(43, "x");

/** What every request to a path carries: the admin token, or that of an assistant, as programs send them. */
export function credentialsFor(path: string): Record<string, string> {
  if (path === "/mcp") return { authorization: `Bearer ${ACCESS_TOKEN}`, accept: "application/json, text/event-stream" };
  return { authorization: `Bearer ${TOKEN}` };
}

/** The production build with every route there is, on a database that has rows in every table, and its OpenAPI document. */
export async function startDescribedProgram(databaseEnv: Record<string, string> = {}): Promise<{ program: Program; document: Document }> {
  const program = await startProgram({
    env: {
      ...(await fillDatabase(databaseEnv)),
      SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock",
      SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 }),
      // The assistant's token is for this address.
      SERVICE_BASE_URL: "https://watch.example",
      SERVICE_ADMIN_TOKEN: TOKEN,
      SERVICE_MCP: "true",
      SERVICE_MCP_CLIENT_ID: MCP_CLIENT.id,
      SERVICE_MCP_CLIENT_SECRET: MCP_CLIENT.secret,
      // Each request names another client, so that limits for one do not hold up all.
      SERVICE_TRUSTED_PROXIES: "127.0.0.1/32",
    },
  });
  const answer = await fetch(`${program.url}/api/v1/openapi.json`, { headers: credentialsFor("/api") });
  // Every program's document has this shape; what is in it, the run finds out.
  return { program, document: (await answer.json()) as Document };
}

/** The recorded database has some values that no program writes. */
const FAR_MS = Date.UTC(2100, 0);
const MENDED = [
  "UPDATE webhook_deliveries SET event_id = '5d0c8a52-6f0a-4f0e-9a53-3a1f2f5f7c11' WHERE event_id = 'evt-1'",
  "UPDATE enrollment_tokens SET id = '0b7ab7fa6c864b49'",
  "UPDATE containers SET group_source = 'default' WHERE group_source = 'none'",
  "DELETE FROM update_enrichments",
  // An assistant that may ask.
  `UPDATE mcp_tokens SET hash = '${createHash("sha256").update(ACCESS_TOKEN).digest("hex")}', expires_at = ${FAR_MS} WHERE kind = 'access'`,
  `UPDATE mcp_connections SET expires_at = ${FAR_MS} WHERE id = 1`,
];

/** Fills the database that is meant, or a file; says how the program finds it. */
async function fillDatabase(given: Record<string, string>): Promise<Record<string, string>> {
  const name = fixtureNames().at(-1) ?? "";
  const url = given["SERVICE_DATABASE_URL"];
  if (url === undefined) {
    const path = join(temporaryFolder(), "binnacle.db");
    loadIntoSqlite(name, path);
    const file = new DatabaseSync(path);
    file.exec(MENDED.join(";"));
    file.close();
    return { SERVICE_DB: path };
  }
  await loadIntoPostgres(name, url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(MENDED.join(";"));
  await client.end();
  return given;
}
