import { createServer } from "node:net";
import type { BuildInfo } from "../config/build.ts";
import { type Config, hostAndPort } from "../config/config.ts";
import { redactDatabaseUrl } from "../config/database-url.ts";
import { systemClock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { createCipher, isOpenToOthers, readKeyFile } from "../storage/secrets/index.ts";
import { agentLooks } from "./doctor-agent.ts";
import { backupFindings } from "./doctor-backups.ts";
import { type Finding, type Look, folderFinding } from "./finding.ts";
import { askHealth } from "./healthcheck.ts";
import type { Health } from "./meta/answers.ts";
import { inspectDatabase, bytesOf, keyPathOf } from "./database.ts";
import { openBindWarning } from "./open-bind.ts";
import { openEditions } from "./open-editions.ts";
import { openRuntime } from "./open-runtime.ts";

const RUNTIME_WITHIN_MS = 15_000;

/** Looks at everything the program needs, changes nothing, and prints what it found and what to do; 1 when something would keep it from its work. */
export async function doctor(config: Config, warnings: readonly string[], build: BuildInfo): Promise<number> {
  process.stdout.write(`Binnacle ${build.version} on Node ${process.versions.node}\n\n`);
  const running = await askHealth(config.listen).then(
    (health) => ({ health }),
    () => undefined,
  );
  const looks: Look[] = [
    ["options", async () => optionFindings(config, warnings)],
    ["data folder", async () => dataFolderFindings(config)],
    ["container runtime", () => runtimeFindings(config)],
    ...(config.mode === "agent" ? agentLooks(config) : serverLooks(config, build, running)),
  ];
  let failed = false;
  for (const [subject, look] of looks) {
    for (const { verdict, text } of await look()) {
      failed ||= verdict === "fail";
      process.stdout.write(`${verdict.padEnd(5)} ${subject}: ${text}\n`);
    }
  }
  return failed ? 1 : 0;
}

function serverLooks(config: Config, build: BuildInfo, running: { health: Health | undefined } | undefined): Look[] {
  return [
    ["database", async () => (running === undefined ? databaseFindings(config) : runningDatabaseFindings(running.health))],
    ["stored secrets", () => secretFindings(config, { isRunning: running !== undefined })],
    ["backups", () => backupFindings(config)],
    [
      "web address",
      async () =>
        running === undefined
          ? addressFindings(config)
          : [{ verdict: "ok", text: `the program is running at ${hostAndPort(config.listen)}` }],
    ],
    ["login", async () => loginFindings(config)],
    ["licence", async () => licenceFindings(config, build)],
  ];
}

function optionFindings({ mode }: Config, warnings: readonly string[]): Finding[] {
  const unknown = warnings.map((warning): Finding => ({ verdict: "warn", text: warning }));
  return unknown.length > 0 ? unknown : [{ verdict: "ok", text: `understood; mode ${mode}` }];
}

function dataFolderFindings({ dataDir }: Config): Finding[] {
  return [
    folderFinding(dataDir, { roomFor: "history needs room to grow", remedy: "Change its owner, or name another with SERVICE_DATA_DIR." }),
  ];
}

async function databaseFindings(config: Config): Promise<Finding[]> {
  const where = config.databaseUrl === undefined ? config.databasePath : redactDatabaseUrl(config.databaseUrl.reveal());
  try {
    const { engine, isNew, waiting } = await inspectDatabase(config);
    return [
      {
        verdict: "ok",
        text: `${engine} at ${where} ${isNew ? "is empty; the first start prepares it" : `opens, and ${schemaState(waiting)}`}`,
      },
    ];
  } catch (error) {
    return [{ verdict: "fail", text: messageOf(error) }];
  }
}

function schemaState(waiting: readonly string[]): string {
  if (waiting.length === 0) return "its schema is current";
  const migrations = waiting.length === 1 ? "1 migration waits" : `${waiting.length} migrations wait`;
  return `${migrations} for the next start, from ${waiting[0]} on. Make a backup first`;
}

/** The running program has the database to itself; it reports its state. */
function runningDatabaseFindings(health: Health | undefined): Finding[] {
  if (health === undefined) return [{ verdict: "ok", text: "in use by the program that is running" }];
  const { engine, connected } = health.storage;
  return [
    {
      verdict: connected ? "ok" : "fail",
      text: `${engine}, in use by the program that is running${connected ? "" : ", which has lost it; see its log"}`,
    },
  ];
}

async function runtimeFindings(config: Config): Promise<Finding[]> {
  const runtime = await attemptRuntime(config);
  if (runtime instanceof StartError) return [{ verdict: "fail", text: runtime.message }];
  const patience = new AbortController();
  const timer = systemClock.after(RUNTIME_WITHIN_MS, () => patience.abort());
  const { signal } = patience;
  try {
    const { version, apiVersion, missing } = await runtime.describe(signal);
    const { containers } = await runtime.inventory(signal);
    const running = containers.filter(({ state }) => state === "running").length;
    return [
      {
        verdict: "ok",
        text: `${runtime.kind} ${version} (API ${apiVersion}) at ${runtime.address}: ${containers.length} containers, ${running} running`,
      },
      ...missing.map((text): Finding => ({ verdict: "warn", text })),
    ];
  } catch (error) {
    return [{ verdict: "fail", text: `${messageOf(error)} The program starts all the same and keeps trying.` }];
  } finally {
    timer.cancel();
    await runtime.close();
  }
}

/** The runtime, or why its address can never work. */
async function attemptRuntime(config: Config): Promise<Runtime | StartError> {
  try {
    return await openRuntime(config, { clock: systemClock, log: silentLog });
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

function addressFindings({ listen, baseUrl }: Config): Promise<Finding[]> {
  const address = hostAndPort(listen);
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) =>
      resolve([{ verdict: "warn", text: `${address} cannot be opened (${messageOf(error)}); is the program running already?` }]),
    );
    server.listen(listen.port, listen.host, () =>
      server.close(() => resolve([{ verdict: "ok", text: `${address} is free; links will begin with ${baseUrl}` }])),
    );
  });
}

function loginFindings(config: Config): Finding[] {
  const warning = openBindWarning(config);
  if (warning !== undefined) return [{ verdict: "warn", text: warning }];
  return [{ verdict: "ok", text: config.adminToken === undefined ? "left to loopback or to the proxy" : "by the admin token" }];
}

function licenceFindings(config: Config, build: BuildInfo): Finding[] {
  const { edition, licence } = openEditions(config, build, { clock: systemClock, log: silentLog, readOnly: true }).view();
  const text = `${edition} edition${licence.message === null ? "" : `; ${licence.message}`}`;
  return [{ verdict: licence.status === "none" || licence.status === "valid" ? "ok" : "warn", text }];
}

/** Whether the key of the stored secrets is there, opens them, and is readable by this user alone. */
export async function secretFindings(config: Config, { isRunning }: { isRunning: boolean }): Promise<Finding[]> {
  const path = keyPathOf(config);
  const findings: Finding[] = [];
  if (config.secretKey === undefined && isOpenToOthers(path))
    findings.push({ verdict: "warn", text: `other users can read ${path}; run chmod 600 on it` });
  try {
    const key = bytesOf(config.secretKey) ?? readKeyFile(path);
    // The database of a program that is running cannot be read.
    const sealedWith = isRunning ? undefined : await sealedKeyIds(config);
    const keyFinding = judge({ key, path, previousKey: bytesOf(config.previousSecretKey), sealedWith });
    return keyFinding.verdict === "ok" && findings.length > 0 ? findings : [...findings, keyFinding];
  } catch (error) {
    return [...findings, { verdict: "fail", text: messageOf(error) }];
  }
}

/** Undefined where the database cannot be read: that is a separate finding. */
async function sealedKeyIds(config: Config): Promise<readonly string[] | undefined> {
  try {
    return (await inspectDatabase(config)).sealedWith;
  } catch {
    return undefined;
  }
}

interface Facts {
  key: Buffer | undefined;
  path: string;
  previousKey: Buffer | undefined;
  /** Undefined when that is not known. */
  sealedWith: readonly string[] | undefined;
}

function judge({ key, path, previousKey, sealedWith }: Facts): Finding {
  const known = [key, previousKey].flatMap((each) => (each === undefined ? [] : createCipher(each).keyId));
  const isOther = sealedWith !== undefined && sealedWith.some((id) => !known.includes(id));
  if (isOther && key !== undefined)
    return {
      verdict: "fail",
      text: "the key does not open the secrets in the database. Put back secret.key, or give the key that they were sealed with as SERVICE_SECRET_KEY or SERVICE_OLD_SECRET_KEY.",
    };
  if (isOther)
    return {
      verdict: "fail",
      text: `${path} is missing, and the database holds secrets that were sealed with it. Put it back from a backup, or set SERVICE_SECRET_KEY.`,
    };
  if (key !== undefined) return { verdict: "ok", text: "the key is there, for this user alone" };
  if (sealedWith === undefined)
    return { verdict: "warn", text: `${path} is missing; without it the next start cannot open stored secrets` };
  return { verdict: "ok", text: "none are stored; the first start makes a key" };
}
