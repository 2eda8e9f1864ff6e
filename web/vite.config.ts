import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

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

/** What the first script brings along is there whenever more is loaded: naming it again for each part would take 2 kB of the first view. */
const beginning = new Set<string>();
const rememberBeginning: Plugin = {
  name: "remember-beginning",
  generateBundle: {
    order: "pre",
    handler(_options, bundle) {
      function add(file: string): void {
        const chunk = bundle[file];
        if (chunk?.type !== "chunk" || beginning.has(file)) return;
        beginning.add(file);
        chunk.imports.forEach(add);
      }
      for (const chunk of Object.values(bundle)) if (chunk.type === "chunk" && chunk.isEntry) add(chunk.fileName);
    },
  },
};

// Vite asks for a default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFont, rememberBeginning],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // The first browsers that know light-dark(), on which the themes rest.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    modulePreload: {
      resolveDependencies: (_file, files, { hostType }) => (hostType === "js" ? files.filter((file) => !beginning.has(file)) : files),
    },
    // A font or picture inlined as data: would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  // /status-page is the app's own.
  server: { proxy: { "/api": SERVER, "^/status(/|$|\\?)": SERVER, "/ping": SERVER } },
});
