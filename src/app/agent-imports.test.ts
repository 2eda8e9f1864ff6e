import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const SOURCE = join(import.meta.dirname, "..");
const IMPORT = /^(?:import|export) (?!type )[^;]*?from "([^"]+)";|^import "([^"]+)";/gm;
/** What an agent starts with, and must not: what is in memory once stays there. */
const NOT_FOR_AGENTS = [
  /^storage\//,
  /^http\//,
  /^monitoring\//,
  /^alerting\//,
  /^publishing\//,
  /^mcp\//,
  /^images\//,
  /^editions\//,
  /^demo\//,
];
const PACKAGES = ["@bufbuild/protobuf", "@grpc/grpc-js", "fastest-levenshtein", "ipaddr.js", "pino", "zod"];

/** Files and packages that are loaded with a file; what only an `import()` names is loaded later. */
function loadedWith(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>([join(SOURCE, entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const [, from, bare] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const name = from ?? bare ?? "";
      if (name.startsWith(".")) files.add(join(dirname(file), name));
      else if (!name.startsWith("node:"))
        packages.add(
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
        );
    }
  return { files: [...files].map((file) => relative(SOURCE, file)), packages: [...packages].toSorted() };
}

test("an agent loads no database, no HTTP server and nothing that only a server does", () => {
  const { files, packages } = loadedWith("app/run-agent.ts");
  assert.ok(files.length > 50, `${files.length} files`);
  assert.deepEqual(
    files.filter((file) => NOT_FOR_AGENTS.some((pattern) => pattern.test(file))),
    [],
  );
  assert.deepEqual(packages, PACKAGES);
});
