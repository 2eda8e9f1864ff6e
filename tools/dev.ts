/** `npm run dev`: the server, restarted when its source changes, and Vite before it; when one ends, so does the other. */
import { spawn } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const COMMANDS = [
  ["--watch", "--watch-preserve-output", "src/main.ts", ...process.argv.slice(2)],
  ["node_modules/vite/bin/vite.js", "--config", "web/vite.config.ts", "--clearScreen=false"],
];

const children = COMMANDS.map((command) => spawn(process.execPath, command, { cwd: ROOT, stdio: "inherit" }));

function end(): void {
  for (const child of children) if (child.exitCode === null) child.kill("SIGTERM");
}

for (const child of children) {
  child.on("exit", (code) => {
    process.exitCode ??= code ?? 0;
    end();
  });
}
process.on("SIGINT", end);
process.on("SIGTERM", end);
