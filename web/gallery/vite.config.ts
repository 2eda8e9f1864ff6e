/** The page of all components, built for tests alone: it is no part of the app. See docs/testing.md. */
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { join } from "node:path";
import { defineConfig } from "vite";

// Vite asks for a default export.
export default defineConfig({
  // As the app has it, so that the same style sheet is made.
  root: join(import.meta.dirname, ".."),
  plugins: [react(), tailwindcss()],
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, "../../dist-gallery"),
    emptyOutDir: true,
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: join(import.meta.dirname, "index.html") },
  },
});
