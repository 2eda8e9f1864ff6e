import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkImports } from "./check-imports.ts";

/** A tree that keeps every rule; each case breaks one. */
const CLEAN: Readonly<Record<string, string>> = {
  "src/events.ts": `export const EVENTS = {};\n`,
  "src/observations.ts": `export interface Observation { kind: string }\n`,
  "src/platform/clock.ts": `export const now = () => new Date();\nexport const later = setTimeout;\n`,
  "src/platform/errors.ts": `export type ErrorCode = "a";\n`,
  "src/config/config.ts": `import { now } from "../platform/clock.ts";\nexport const config = { ...process.env, now };\n`,
  "src/storage/database.ts": `export interface Database { run(): void }\nexport const open = 1;\n`,
  "src/http/route.ts": `export const route = 1;\n`,
  "src/runtimes/runtime.ts": `import type { Observation } from "../observations.ts";\nexport interface Runtime { o: Observation }\n`,
  "src/runtimes/docker/index.ts": `import { request } from "node:http";\nexport const docker = request;\n`,
  "src/monitoring/containers/container.ts": `import type { Observation } from "../../observations.ts";\nexport const decide = (o: Observation, now: Date) => [o, new Date(now)];\n`,
  "src/monitoring/containers/store.ts": `import { open } from "../../storage/database.ts";\nexport const store = open;\n`,
  "src/monitoring/containers/api.ts": `export const schema = 1;\nexport interface View { id: number }\n`,
  "src/monitoring/containers/index.ts": `import type { Database } from "../../storage/database.ts";\nimport { store } from "./store.ts";\nexport const create = (database: Database) => [database, store];\n`,
  "src/monitoring/containers/container.test.ts": `import { store } from "./store.ts";\nimport { world } from "../../../test/support/world.ts";\nsetTimeout(() => [store, world, new Date()], 1);\n`,
  "src/alerting/alerts/index.ts": `import { EVENTS } from "../../events.ts";\nexport const alerts = EVENTS;\n`,
  "src/publishing/live/index.ts": `import { create } from "../../monitoring/containers/index.ts";\nexport const live = create;\n`,
  "src/app/server.ts": `import { create } from "../monitoring/containers/index.ts";\nimport { docker } from "../runtimes/docker/index.ts";\nexport const server = [create, docker];\n`,
  "src/main.ts": `import { server } from "./app/server.ts";\nserver.at(0);\n`,
  "test/support/world.ts": `export const world = 1;\n`,
  "tools/tool.ts": `import { store } from "../src/monitoring/containers/store.ts";\nexport const tool = [store, process.env];\n`,
  "src/contract/bounds.ts": `import { DAY_MS } from "./time.ts";\nexport const longest = DAY_MS;\n`,
  "src/contract/time.ts": `export const DAY_MS = 86_400_000;\n`,
  "src/http/quota.ts": `import { longest } from "../contract/bounds.ts";\nexport const quota = longest;\n`,
  "web/src/form.ts": `import { longest } from "../../src/contract/bounds.ts";\nexport const form = longest;\n`,
  "web/vite.config.ts": `export default {};\n`,
  "web/src/app.css": "",
  "web/src/page.tsx": `import "./app.css";\nimport type { View } from "../../src/monitoring/containers/api.ts";\nexport const Page = ({ view }: { view: View }) => <p>{view.id}{Date.now()}</p>;\n`,
};

function faultsOf(context: TestContext, changes: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "binnacle-imports-"));
  context.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...CLEAN, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkImports(root).faults.map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

test("a tree that keeps every rule has no fault", (context) => assert.deepEqual(faultsOf(context, {}), []));

test("a tree without source files is an error, not a clean one", (context) => {
  const root = mkdtempSync(join(tmpdir(), "binnacle-imports-"));
  context.after(() => rmSync(root, { recursive: true }));
  assert.throws(() => checkImports(root), /no source file/);
});

test("a file that does not parse is an error that names it", (context) => {
  assert.throws(() => faultsOf(context, { "src/http/route.ts": "import {" }), /src\/http\/route\.ts/);
});

const broken: [what: string, path: string, text: string, ...faults: string[]][] = [
  [
    "a part that imports another it may not",
    "src/http/a.ts",
    `\nimport { open } from "../storage/database.ts";\nexport const a = open;\n`,
    "2 ZONES",
    "2 RESERVED",
  ],
  ["the same as a type", "src/alerting/alerts/a.ts", `export type A = import("../../monitoring/containers/api.ts").View;\n`, "1 ZONES"],
  ["the same as a re-export", "src/platform/a.ts", `export { route } from "../http/route.ts";\n`, "1 ZONES"],
  ["the same, imported when needed", "src/platform/a.ts", `export const a = () => import("../http/route.ts");\n`, "1 ZONES"],
  ["a folder without a row in the table", "src/drawer/a.ts", `export const a = 1;\n`, "1 ZONES"],
  [
    "a feature entered by the window",
    "src/publishing/live/a.ts",
    `import { decide } from "../../monitoring/containers/container.ts";\nexport const a = decide;\n`,
    "1 FEATURE_DOORS",
  ],
  [
    "the store of another feature",
    "src/monitoring/heartbeats/a.ts",
    `import { store } from "../containers/store.ts";\nexport const a = store;\n`,
    "1 FEATURE_DOORS",
  ],
  [
    "SQL outside a store",
    "src/monitoring/containers/service.ts",
    `import type { Database } from "../../storage/database.ts";\nexport type S = Database;\n`,
    "1 RESERVED",
  ],
  [
    "storage as more than a type in an index",
    "src/monitoring/endpoints/index.ts",
    `import { open } from "../../storage/database.ts";\nexport const a = open;\n`,
    "1 RESERVED",
  ],
  [
    "Docker's words above the runtimes",
    "src/collector/a.ts",
    `import { docker } from "../runtimes/docker/index.ts";\nexport const a = docker;\n`,
    "1 RESERVED",
  ],
  [
    "a program that needs its tests",
    "src/app/a.ts",
    `import { world } from "../../test/support/world.ts";\nexport const a = world;\n`,
    "1 RESERVED",
  ],
  ["a program that needs its tools", "src/app/a.ts", `import { tool } from "../../tools/tool.ts";\nexport const a = tool;\n`, "1 RESERVED"],
  [
    "a rule that reads the clock",
    "src/monitoring/containers/uptime.ts",
    `import { systemClock } from "../../platform/clock.ts";\nexport const a = systemClock;\n`,
    "1 PURE_FILES",
  ],
  [
    "a rule that reads files",
    "src/monitoring/containers/uptime.ts",
    `import { readFileSync } from "node:fs";\nexport const a = readFileSync;\n`,
    "1 PURE_FILES",
  ],
  ["the environment outside the config", "src/app/a.ts", `export const a = process.env["HOME"];\n`, "1 CONFINED"],
  ["the environment by destructuring", "src/app/a.ts", `const { env } = process;\nexport const a = env;\n`, "1 CONFINED"],
  ["the environment by import", "src/app/a.ts", `import { env } from "process";\nexport const a = env;\n`, "1 CONFINED_MODULES"],
  ["a timer", "src/app/a.ts", `\n\nexport const a = setTimeout(() => {}, 1);\n`, "3 CONFINED"],
  ["a timer by another name", "src/app/a.ts", `export const a = globalThis.setInterval(() => {}, 1);\n`, "1 CONFINED"],
  [
    "a timer handed on",
    "src/app/a.ts",
    `export const wait = setTimeout;\nexport const a = { later: setTimeout };\n`,
    "1 CONFINED",
    "2 CONFINED",
  ],
  ["a timer as a default", "src/app/a.ts", `export const a = ({ wait = globalThis.setTimeout } = {}) => wait;\n`, "1 CONFINED"],
  [
    "a timer by import",
    "src/app/a.ts",
    `import { setTimeout as wait } from "node:timers/promises";\nexport const a = wait;\n`,
    "1 CONFINED_MODULES",
  ],
  ["the time", "src/http/a.ts", `export const a = Date.now();\nexport const b = new Date();\n`, "1 CONFINED", "2 CONFINED"],
  ["a time limit", "src/http/a.ts", `export const a = AbortSignal.timeout(5);\n`, "1 CONFINED"],
  ["an outgoing request", "src/http/a.ts", `export const a = fetch("http://a");\n`, "1 CONFINED"],
  ["an outgoing connection", "src/http/a.ts", `import { connect } from "node:net";\nexport const a = connect;\n`, "1 CONFINED_MODULES"],
  [
    "an outgoing connection by the whole module",
    "src/http/a.ts",
    `import https from "https";\nexport const a = https;\n`,
    "1 CONFINED_MODULES",
  ],
  ["a default export", "src/http/a.ts", `const a = 1;\nexport default a;\n`, "2 MAY_EXPORT_DEFAULT"],
  ["a default export by another name", "web/src/a.tsx", `const a = 1;\nexport { a as default };\n`, "2 MAY_EXPORT_DEFAULT"],
  ["export *", "tools/a.ts", `export * from "./tool.ts";\n`, "1 no export *"],
  ["an import that leads nowhere", "test/a.ts", `import { a } from "./b.js";\nexport const c = a;\n`, "1 imports resolve"],
  ["a contract that imports a package", "src/contract/a.ts", `import { z } from "zod";\nexport const a = z.string();\n`, "1 PLAIN_FILES"],
  ["a contract that imports a part", "src/contract/a.ts", `import { EVENTS } from "../events.ts";\nexport const a = EVENTS;\n`, "1 ZONES"],
  [
    "server code in the browser",
    "web/src/a.ts",
    `import { schema } from "../../src/monitoring/containers/api.ts";\nexport const a = schema;\n`,
    "1 WEB_MAY_IMPORT_TYPES",
  ],
  [
    "the server's inside in the web app",
    "web/src/a.ts",
    `import type { Database } from "../../src/storage/database.ts";\nexport type A = Database;\n`,
    "1 WEB_MAY_IMPORT_TYPES",
  ],
  ["an agent that can alert", "src/app/agent.ts", `import { agent } from "./inner.ts";\nexport const a = agent;\n`, "1 UNREACHABLE"],
  ["a file of 401 lines", "tools/long.ts", "export const a = 1;\n".replace("a", "b") + "\n".repeat(400), "401 LONGEST_FILE_LINES"],
  ["a file that imports itself", "tools/a.ts", `import { a } from "./a.ts";\nexport const b = a;\n`, "1 no import cycle"],
];
for (const [what, path, text, ...faults] of broken) {
  test(`${what} is found`, (context) => {
    const inner =
      path === "src/app/agent.ts"
        ? { "src/app/inner.ts": `import { alerts } from "../alerting/alerts/index.ts";\nexport const agent = alerts;\n` }
        : {};
    assert.deepEqual(
      faultsOf(context, { [path]: text, ...inner }),
      faults.map((fault) => `${path}:${fault}`),
    );
  });
}

test("a page of the web app is imported by its own folder and the router alone", (context) => {
  const faults = faultsOf(context, {
    "web/src/pages/a/page.ts": `import { part } from "./part.ts";\nexport const page = part;\n`,
    "web/src/pages/a/part.ts": `import { other } from "../b/page.ts";\nexport const part = other;\n`,
    "web/src/pages/b/page.ts": `export const other = 1;\n`,
    "web/src/router.tsx": `import { page } from "./pages/a/page.ts";\nexport const router = page;\n`,
    "web/src/ui/a.ts": `import { page } from "../pages/a/page.ts";\nexport const a = page;\n`,
  });
  assert.deepEqual(faults, ["web/src/pages/a/part.ts:1 WEB_PAGES", "web/src/ui/a.ts:1 WEB_PAGES"]);
});

test("cycles are found once each, types included", (context) => {
  const faults = faultsOf(context, {
    "tools/a.ts": `import { b } from "./b.ts";\nexport const a = b;\nexport type A = 1;\n`,
    "tools/b.ts": `import { c } from "./c.ts";\nexport const b = c;\n`,
    "tools/c.ts": `\nimport type { A } from "./a.ts";\nexport const c: A = 1;\n`,
  });
  assert.deepEqual(faults, ["tools/a.ts:1 no import cycle"]);
});

test("a file of 400 lines and a comment that names a timer are no faults", (context) => {
  assert.deepEqual(
    faultsOf(context, {
      "tools/long.ts": `export const b = 1;\n${"\n".repeat(399)}`,
      "src/http/a.ts": `// setTimeout(() => {}, 1)\nexport const a = "new Date()";\n`,
    }),
    [],
  );
});
