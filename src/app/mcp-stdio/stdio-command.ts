import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where an instance listens for assistants on its own host: the program with `--mcp-stdio` connects there. */
export function mcpSocketOf(dataDir: string): string {
  return join(dataDir, "mcp.sock");
}

/** Where the image has the program, which no other installation does. */
const IN_IMAGE = "/app/main.js";
const IN_POD = "/var/run/secrets/kubernetes.io";

interface Running {
  /** The program that runs, and the file that it was started with. */
  execPath: string;
  entry: string;
  dataDir: string;
  exists?: (path: string) => boolean;
}

/**
 * How an assistant on the same host starts the bridge to this instance: from the image through the engine or the cluster, elsewhere as it was started,
 * also within a container that is not of the image.
 */
export function stdioCommand({ execPath, entry, dataDir, exists = existsSync }: Running): string[] {
  const bridge = ["--mcp-stdio", "--data-dir", resolve(dataDir)];
  if (entry !== IN_IMAGE) return [execPath, resolve(entry), ...bridge];
  if (exists(IN_POD)) return ["kubectl", "exec", "-i", "deploy/binnacle", "--", "node", IN_IMAGE, ...bridge];
  return ["docker", "exec", "-i", "binnacle", "node", IN_IMAGE, ...bridge];
}
