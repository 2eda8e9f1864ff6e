#!/usr/bin/env node
import { enableCompileCache } from "node:module";

const isBuilt = !import.meta.url.endsWith(".ts");
const pathOf = (relative: string): string => new URL(relative, import.meta.url).pathname;

// Before anything is loaded. Beside the program, not in a folder that other users can write; where that cannot be written, Node does without.
// The build fills it, see tools/warm.ts; it moves with the program into an image.
if (isBuilt) enableCompileCache({ directory: pathOf(".compile-cache"), portable: true });

// Beside the bundle when built; run from source, where the build puts it.
const webRoot = pathOf(isBuilt ? "./web" : "../dist/web");
void import("./app/command.ts").then(async ({ runCommand }) => {
  process.exitCode = await runCommand(webRoot);
});
