/** `npm run generate [-- --check]`: writes what is made from the source, or says which are out of date. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { optionsPage } from "../src/config/help.ts";
import { EVENTS, SUPERSEDED_EVENTS } from "../src/events.ts";
import { ERROR_TABLE } from "../src/platform/errors.ts";
import { kindsTable } from "./channel-kinds.ts";
import { declaredByServer } from "./declared.ts";
import { disappearancesPage } from "./disappearances-page.ts";
import { KUBERNETES_MANIFESTS } from "./kubernetes-manifests.ts";
import { table } from "./markdown-table.ts";
import { onDemand } from "./on-demand.ts";
import { pageFont } from "./page-font.ts";
import { pageScript } from "./page-script.ts";
import { routeTypes } from "./route-types.ts";

const ROOT = join(import.meta.dirname, "..");

const WIRE = "src/fleet/wire/gen/service/agent/v1/ingest_pb.ts";

const GENERATED: readonly { path: string; content: () => string | Promise<string> }[] = [
  { path: "docs/options.md", content: optionsPage },
  { path: "docs/reference.md", content: referencePage },
  { path: "docs/channels.md", content: () => withSection("docs/channels.md", "kinds", kindsTable()) },
  { path: "docs/when-things-disappear.md", content: disappearancesPage },
  { path: "web/src/pages/notifications/webhooks/events.ts", content: eventsOfWebApp },
  { path: "web/src/api/routes.ts", content: routeTypes },
  { path: "src/publishing/status/page/script.gen.ts", content: pageScript },
  { path: "src/publishing/status/page/font.gen.ts", content: pageFont },
  { path: WIRE, content: messagesOfWire },
  ...KUBERNETES_MANIFESTS,
];

const isCheck = process.argv.includes("--check");
for (const { path, content } of GENERATED) {
  const file = join(ROOT, path);
  const expected = await content();
  if (existsSync(file) && readFileSync(file, "utf8") === expected) continue;
  if (isCheck) {
    console.log(`${path} is out of date; run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, expected);
    console.log(`wrote ${path}`);
  }
}

/** A page that people write, but for what stands between two comments. */
function withSection(path: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: made by npm run generate -->`, `<!-- end of ${name} -->`];
  const text = readFileSync(join(ROOT, path), "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no section "${name}"`);
  return `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
}

/** Every route, tool, event and error of the program, by name. */
async function referencePage(): Promise<string> {
  const { routes, tools } = await declaredByServer();
  const sections = [...Map.groupBy(routes, ({ tag }) => tag)].map(([tag, ofTag]) => [
    `### ${tag}`,
    table(
      ["route", ""],
      ofTag.map(({ method, path, summary, capability }) => [
        `\`${method} ${path}\``,
        capability === undefined ? summary : `${summary}; needs the capability \`${capability}\``,
      ]),
    ),
  ]);
  return [
    "# Reference",
    "Made from the source by `npm run generate`; the shapes are in `/api/v1/openapi.json`.",
    "## Routes",
    ...sections.flat(),
    "## Tools",
    "Of [assistants](assistants.md).",
    table(
      ["tool", "scope", ""],
      tools.map(({ name, writes, description }) => [`\`${name}\``, writes === true ? "`alerts:write`" : "`monitor:read`", description]),
    ),
    "## Events",
    "Of the [stream](events.md) and of [webhook subscriptions](webhooks.md).",
    table(
      ["event", "meaning"],
      Object.entries(EVENTS).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    "## Errors",
    table(
      ["code", "status", "when"],
      Object.entries(ERROR_TABLE).map(([code, { http, when }]) => [`\`${code}\``, String(http), when]),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The web app may not import the program, so it has the names and words of events by themselves. */
function eventsOfWebApp(): string {
  const constant = (name: string, value: unknown): string => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;`;
  return [
    "// Made from src/events.ts by `npm run generate`.",
    `/** Every event, and when it is sent. */\n${constant("EVENTS", EVENTS)}`,
    `/** Those that come all the time. */\n${constant("SUPERSEDED_EVENTS", [...SUPERSEDED_EVENTS])}`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** The messages of the wire between agents and servers, as buf.gen.yaml says. */
function messagesOfWire(): string {
  const tools = onDemand("wire");
  tools.install();
  const folder = mkdtempSync(join(tmpdir(), "wire-"));
  try {
    execFileSync(join(tools.commands, "buf"), ["generate", "--output", folder], {
      cwd: ROOT,
      // buf looks for the generator on the path, and that for its Node.
      env: { ...process.env, PATH: [tools.commands, dirname(process.execPath), process.env["PATH"]].join(delimiter) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    return readFileSync(join(folder, WIRE), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
