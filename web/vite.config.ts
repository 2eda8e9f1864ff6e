import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const SERVER = "http://127.0.0.1:8080";

// Vite asks for a default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // The first browsers that know light-dark(), on which the themes rest.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // A font or picture inlined as data: would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  // /status-page is the app's own.
  server: { proxy: { "/api": SERVER, "^/status(/|$|\\?)": SERVER, "/ping": SERVER } },
});
