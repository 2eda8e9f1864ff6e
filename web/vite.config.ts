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
  for (const name of Object.keys(bundle)) if (/-latin-wght-normal.*\.woff2$/.test(name)) files.add(`/${name}`);
  return [...files];
}

/** What brings nothing large along: our own modules and the icons. */
const LIGHT = /\/web\/src\/.*\.tsx?$|\/src\/contract\/|\/lucide-react\/|^\0/;

/** What every page is built on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:history|react-router|router-core|react-store|store|react-query|query-core))\//;

/**
 * Small modules of ours that several pages share are one file, and those of the list of containers another: with a file for each, a page asked for
 * dozens of 300 bytes, each with 700 bytes of headers. What needs a library beyond the base is left out, since it would bring the library to every page.
 */
function nameOfShared(id: string, context: Rolldown.ChunkingContext): string | null {
  const importsOf = (module: string): readonly string[] => context.getModuleInfo(module)?.importedIds ?? [];
  const isLight = (module: string, seen: Set<string>): boolean => {
    if (seen.has(module)) return true;
    seen.add(module);
    return (LIGHT.test(module) || BASE.test(module)) && importsOf(module).every((imported) => isLight(imported, seen));
  };
  if (!isLight(id, new Set())) return null;
  if (ofList.size === 0) addWithImports(ofList, LIST_PAGE, importsOf);
  return ofList.has(id) ? "list-parts" : "parts";
}

const LIST_PAGE = join(import.meta.dirname, "src/pages/containers/containers-page.tsx");
const ofList = new Set<string>();

function addWithImports(found: Set<string>, module: string, importsOf: (module: string) => readonly string[]): void {
  if (found.has(module)) return;
  found.add(module);
  for (const imported of importsOf(module)) addWithImports(found, imported, importsOf);
}

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
        // Few files instead of dozens of small ones, which compress worse: every page needs all of it.
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 3 },
            { name: "start", tags: ["$initial"], priority: 2 },
            { name: nameOfShared, debugName: "shared", minShareCount: 4, maxModuleSize: 3000, priority: 1 },
          ],
        },
      },
    },
  },
  // /status-page is the app's own.
  server: { proxy: { "/api": SERVER, "^/status(/|$|\\?)": SERVER, "/ping": SERVER } },
});
