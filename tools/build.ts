/** `node tools/build.ts [--if-stale]`: the production build in dist/: the web app in dist/web, the server in dist/main.js, what both are made of in dist/sbom.cdx.json. */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build as bundle, type Plugin } from "rolldown";
import { build as buildWeb } from "vite";
import { PAGE_FONT } from "./page-font.ts";
import { writeSbom } from "./sbom.ts";
import { warm } from "./warm.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const PUBLIC_KEY = join(ROOT, ".license/public.pem");

interface Product {
  name: string;
  /** What it is made from; when none of it changed, the product is not stale. */
  inputs: string[];
  /** A file that is there when it was made. */
  output: string;
  make(): Promise<void>;
}

const SHARED_INPUTS = ["package-lock.json", "tools/build.ts", "tsconfig.json"];
const PRODUCTS: readonly Product[] = [
  {
    name: "web app",
    inputs: ["web/{src,public}/**/*", "web/*.*", "src/contract/*.ts", "package.json", ...SHARED_INPUTS],
    output: "dist/web/index.html",
    make: makeWebApp,
  },
  {
    name: "server",
    inputs: ["src/**/*.ts", "package.json", "tools/{warm,node-flags,declared,page-font}.ts", ".license/public.pem", ...SHARED_INPUTS],
    output: "dist/main.js",
    make: makeServer,
  },
  {
    name: "SBOM",
    inputs: ["web/src/**/*", "package.json", "package-lock.json", "tools/{sbom,locked-packages}.ts"],
    output: "dist/sbom.cdx.json",
    make: async () => writeSbom(),
  },
];

/** Makes the products, or with `ifStale` those whose inputs changed since they were made. Resolves to the names of those made. */
export async function build({ ifStale }: { ifStale: boolean }): Promise<string[]> {
  const made: string[] = [];
  for (const product of PRODUCTS) {
    const stamp = join(DIST, `.${product.name.replace(" ", "-")}.stamp`);
    const hash = hashOf(product.inputs);
    const isFresh = existsSync(join(ROOT, product.output)) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
    if (ifStale && isFresh) continue;
    rmSync(stamp, { force: true });
    await product.make();
    writeFileSync(stamp, hash);
    made.push(product.name);
  }
  return made;
}

/** Makes the page of all components for tests, unless it is fresh; answers its folder, which is no part of the product. */
export async function buildGallery(): Promise<string> {
  const folder = join(ROOT, "dist-gallery");
  const stamp = join(folder, ".stamp");
  const hash = hashOf(["web/**/*", "src/contract/*.ts", ...SHARED_INPUTS]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return folder;
  await buildWeb({ configFile: join(ROOT, "web/gallery/vite.config.ts"), logLevel: "warn" });
  renameSync(join(folder, "gallery/index.html"), join(folder, "index.html"));
  writeFileSync(stamp, hash);
  return folder;
}

/** Of the files that match, by their names and contents. */
export function hashOf(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  const paths = globSync(inputs, { cwd: ROOT, exclude: ["**/node_modules/**", "**/*.test.ts"] }).sort();
  for (const path of paths) {
    if (statSync(join(ROOT, path)).isFile())
      hash
        .update(path)
        .update("\0")
        .update(readFileSync(join(ROOT, path)))
        .update("\0");
  }
  return hash.digest("hex");
}

async function makeWebApp(): Promise<void> {
  await buildWeb({ configFile: join(ROOT, "web/vite.config.ts"), logLevel: "warn" });
  const files = readdirSync(join(DIST, "web"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && [".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.map(precompress));
}

/** Lays the compressed forms beside a file, so that no request has to compress. */
async function precompress(path: string): Promise<void> {
  const content = readFileSync(path);
  const forms = [
    {
      extension: ".br",
      bytes: await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    },
    { extension: ".gz", bytes: await promisify(gzip)(content, { level: 9 }) },
  ];
  for (const { extension, bytes } of forms) if (bytes.length < content.length) writeFileSync(path + extension, bytes);
}

async function makeServer(): Promise<void> {
  for (const name of globSync(["*.{js,js.map}", ".compile-cache"], { cwd: DIST })) rmSync(join(DIST, name), { recursive: true });
  await bundleServer({ name: "main", entry: "src/main.ts", folder: DIST, format: "cjs" });
  await writeSchemas();
  await warm(DIST);
}

/** The JSON Schemas of the API and of the tools, so that the program neither makes them nor loads what only they need. See src/platform/built.ts. */
async function writeSchemas(): Promise<void> {
  const [{ declaredByServer }, { shapesOfRoutes }, { toolsOnWire }] = await Promise.all([
    import("./declared.ts"),
    import("../src/http/route-shapes.ts"),
    import("../src/mcp/server/tools-on-wire.ts"),
  ]);
  const { routes, tools } = await declaredByServer();
  writeFileSync(join(DIST, "route-shapes.json"), JSON.stringify(await shapesOfRoutes(routes)));
  writeFileSync(join(DIST, "tools-on-wire.json"), JSON.stringify(toolsOnWire(tools)));
}

/** What Fastify, pino, prom-client and grpc-js require but nothing here makes them use: it would be a third of the bundle, and of Node some milliseconds of the start. What our own code imports of these is kept. */
const UNUSED = [
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "@grpc/proto-loader",
  "@opentelemetry/api",
  "light-my-request",
  // So Fastify names it, for servers of HTTP/2.
  "node:http2",
  "semver",
  // So pino writes its log from another thread.
  "thread-stream",
];
const WITHOUT_UNUSED: Plugin = {
  name: "without what is not used",
  resolveId: (id, importer = "") => (UNUSED.includes(id) && importer.includes("/node_modules/") ? `\0${id}` : null),
  load: (id) => (UNUSED.includes(id.slice(1)) ? "" : null),
};

/** The router makes a function of text for each part of a path, which takes a fifteenth of the start; the platform compares as quickly. */
const PREFIX_CHECK = {
  of: "/find-my-way/lib/node.js",
  written: "return new Function('path', 'i', `'use strict'\\nreturn ${lines.join(' && ')}`)",
  better: "return (path, i) => path.startsWith(prefix, i)",
};
const WITHOUT_MADE_CODE: Plugin = {
  name: "without code that is made of text",
  transform(code, id) {
    if (!id.endsWith(PREFIX_CHECK.of)) return null;
    if (!code.includes(PREFIX_CHECK.written)) throw new Error(`${PREFIX_CHECK.of} is not what it was: see tools/build.ts`);
    // No line moves.
    return { code: code.replace(PREFIX_CHECK.written, PREFIX_CHECK.better), map: null };
  },
};

interface ServerBundle {
  name: string;
  entry: string;
  folder: string;
  /** CommonJS starts sooner: to import `node:http` loads the half of Node that is `fetch`, to require it does not. It allows no top-level await. */
  format: "cjs" | "esm";
}

/** Bundles a program for Node with its threads into a folder, as `NAME.js`. */
export async function bundleServer({ name, entry, folder, format }: ServerBundle): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  await bundle({
    cwd: ROOT,
    // Threads are started by their own names.
    input: {
      [name]: entry,
      "series-worker": "src/storage/series/worker.ts",
      "checkpoint-worker": "src/storage/checkpoint-worker.ts",
      "backup-worker": "src/app/backups/worker.ts",
      "layers-worker": "src/images/packages/layers/worker.ts",
    },
    platform: "node",
    // Loaded by pg when it is there; it is optional, and not used.
    external: ["pg-native"],
    logLevel: "warn",
    // Measured servers may use more of ours than the program does, and load it at once.
    ...(format === "cjs" && { onLog: refuse }),
    plugins: format === "cjs" ? [WITHOUT_UNUSED, WITHOUT_MADE_CODE] : [],
    transform: {
      define: {
        BINNACLE_VERSION: JSON.stringify(version),
        BINNACLE_BUILT_AT: JSON.stringify(new Date().toISOString()),
        BINNACLE_PUBLIC_KEY: JSON.stringify(existsSync(PUBLIC_KEY) ? readFileSync(PUBLIC_KEY, "utf8") : ""),
      },
    },
    // All in one folder, so that import.meta.url leads to dist/ from every chunk. Names are kept for stack traces.
    // A single character beyond ASCII would make the engine hold a file as UTF-16, in twice the memory.
    output: {
      dir: folder,
      format,
      charset: "ascii",
      chunkFileNames: "[name]-[hash].js",
      sourcemap: true,
      minify: { compress: true, mangle: false, codegen: true },
    },
  });
  // Read by src/publishing/status/page/assets.ts.
  copyFileSync(PAGE_FONT, join(folder, "status-font.woff2"));
  writeFileSync(join(folder, "package.json"), `{"type": "${format === "cjs" ? "commonjs" : "module"}"}\n`);
}

/** A warning is a defect: it would be shown to everybody who starts the program for the first time. */
function refuse(_: "info" | "debug" | "warn", { message }: { message: string }): void {
  throw new Error(message);
}

/** From the command line. Tests import this file, and wait for nothing when they do. */
async function main(): Promise<void> {
  const startedMs = performance.now();
  const made = await build({ ifStale: process.argv.includes("--if-stale") });
  if (made.length > 0) console.log(`built the ${made.join(" and the ")} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

if (import.meta.main)
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
