import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { beginning, preloadPage, rememberBeginning } from "./preload.ts";

const SERVER = "http://127.0.0.1:8080";

/** The font of the app is asked for with its code: text that changes its font moves what stands below it. */
const preloadFont: Plugin = {
  name: "preload-font",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", href: `/${file}`, as: "font", type: "font/woff2", crossorigin: "" },
          injectTo: "head",
        })),
  },
};

/** The pages that open when the server cannot be reached also if they were never opened before; the others do once they were. */
const OFFLINE_PAGES =
  /\/pages\/(overview\/overview|containers\/containers|alerts\/alerts|endpoints\/endpoints|heartbeats\/heartbeats|certificates\/certificates)-page\.tsx$|\/app\/offline\.ts$|\/ui\/dialog-window\.tsx$|\/api\/live-events\.ts$/;

/** Bundles the service worker, which is to know the files that it keeps, beside the page: it is asked for at the root, for all addresses. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  enforce: "post",
  async generateBundle(_options, bundle) {
    const files = offlineFiles(bundle);
    const hash = createHash("sha256");
    // All names but that of the page have a hash in them.
    for (const [name, file] of Object.entries(bundle).sort())
      hash.update(file.type === "asset" && name.endsWith(".html") ? file.source : name);
    const worker = await rolldown({
      input: join(import.meta.dirname, "src/worker/worker.ts"),
      transform: { define: { BINNACLE_APP: JSON.stringify({ version: hash.digest("hex").slice(0, 12), release: release(), files }) } },
    });
    const { output } = await worker.generate({ format: "iife", minify: true });
    await worker.close();
    this.emitFile({ type: "asset", fileName: "worker.js", source: output[0].code });
  },
};

function release(): string {
  return (JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as { version: string }).version;
}

/** What the pages above are made of, with the styles and fonts of the first view. */
function offlineFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || files.has(`/${chunk.fileName}`)) return;
    for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(`/${file}`);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  for (const chunk of chunks.filter(({ isEntry }) => isEntry)) add(chunk);
  for (const chunk of chunks.filter(({ facadeModuleId }) => OFFLINE_PAGES.test(facadeModuleId ?? ""))) add(chunk);
  for (const name of Object.keys(bundle)) if (/-latin-(wght|400)-normal.*\.woff2$/.test(name)) files.add(`/${name}`);
  return [...files];
}

/** What every page is built on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|seroval|@tanstack\/(?:history|react-router|router-core|react-store|store|react-query|query-core))\//;

/** What brings nothing large along: our own modules and the icons. */
const LIGHT = /\/web\/src\/.*\.tsx?$|\/src\/contract\/|\/lucide-react\/|^\0/;

type Context = Rolldown.ChunkingContext;
const importsOf = (id: string, context: Context): readonly string[] => context.getModuleInfo(id)?.importedIds ?? [];

/** What needs a library beyond the base would bring it to every page with which it shares a file. */
function isLight(id: string, context: Context, seen = new Set<string>()): boolean {
  if (seen.has(id)) return true;
  seen.add(id);
  return (LIGHT.test(id) || BASE.test(id)) && importsOf(id, context).every((imported) => isLight(imported, context, seen));
}

/** Answers which modules a page needs at once. */
function neededBy(page: string): (id: string, context: Context) => boolean {
  const found = new Set<string>();
  function add(id: string, context: Context): void {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of importsOf(id, context)) add(imported, context);
  }
  return (id, context) => {
    if (found.size === 0) add(join(import.meta.dirname, "src/pages", page), context);
    return found.has(id);
  };
}

const isOfList = neededBy("containers/containers-page.tsx");
const isOfOverview = neededBy("overview/overview-page.tsx");

/** Small modules of ours that several pages share are one file, and those of the list of containers another. */
const nameOfShared = (id: string, context: Context): string | null => {
  if (!isLight(id, context)) return null;
  if (isOfList(id, context)) return "list-parts";
  return isOfOverview(id, context) ? "parts" : null;
};

/** So is all else that the overview, which most people open first, shares with any page. */
const nameOfOverview = (id: string, context: Context): string | null =>
  isLight(id, context) && isOfOverview(id, context) ? "overview-parts" : null;

/** Those that neither needs do not come with the first view. */
const nameOfOthers = (id: string, context: Context): string | null => (isLight(id, context) ? "page-parts" : null);

// Vite asks for a default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFont, rememberBeginning, preloadPage, serviceWorker],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // The first browsers that know light-dark(), on which the themes rest.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === "js" ? files.filter((file) => !beginning.has(file)) : files),
    },
    // A font or picture inlined as data: would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Few files instead of dozens of 300 bytes, each of which takes 700 bytes of headers and its turn on one of six connections.
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 4 },
            { name: "start", tags: ["$initial"], priority: 3 },
            { name: nameOfShared, debugName: "shared", minShareCount: 3, maxModuleSize: 3000, priority: 2 },
            { name: nameOfOverview, debugName: "overview", minShareCount: 2, maxModuleSize: 9000, priority: 1 },
            { name: nameOfOthers, debugName: "others", minShareCount: 3, maxModuleSize: 3000, priority: 0 },
          ],
        },
      },
    },
  },
  // /status-page is the app's own.
  server: { proxy: { "/api": SERVER, "^/status(/|$|\\?)": SERVER, "/ping": SERVER } },
});
