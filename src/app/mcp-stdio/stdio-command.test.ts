import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { stdioCommand } from "./stdio-command.ts";

const dataDir = "/data";
const inImage = { execPath: "/usr/local/bin/node", entry: "/app/main.js", dataDir };
const ofPaths =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);

test("from the image it goes through the engine, or the cluster", () => {
  assert.deepEqual(
    stdioCommand({ ...inImage, exists: ofPaths("/.dockerenv") }).join(" "),
    "docker exec -i binnacle node /app/main.js --mcp-stdio --data-dir /data",
  );
  assert.deepEqual(
    stdioCommand({ ...inImage, exists: ofPaths("/var/run/secrets/kubernetes.io") }).join(" "),
    "kubectl exec -i deploy/binnacle -- node /app/main.js --mcp-stdio --data-dir /data",
  );
});

test("from a checkout it is as it was started, with the data folder, also within a container", () => {
  assert.deepEqual(stdioCommand({ execPath: "/opt/node", entry: "dist/main.js", dataDir: "./data", exists: ofPaths("/.dockerenv") }), [
    "/opt/node",
    join(process.cwd(), "dist/main.js"),
    "--mcp-stdio",
    "--data-dir",
    join(process.cwd(), "data"),
  ]);
});
