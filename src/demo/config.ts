import { randomBytes } from "node:crypto";
import { type Config, parseConfig } from "../config/config.ts";

/** What a demo takes of the options: where it listens, who may look, and how it logs. */
const TAKEN = [
  ...["listen", "baseUrl", "adminToken", "allowedHosts", "trustedProxies", "corsOrigins", "maxBodyBytes"],
  ...["mcp", "logLevel", "logFormat", "shutdownSeconds"],
] as const;

/** The options of a demo with its data in a folder: the usual ones, but for what was asked for of the web interface and the log. */
export function demoConfig(asked: Config, folder: string): Config {
  const start = parseConfig({
    argv: ["--data-dir", folder, "--mode", "server", "--update-interval", "off", "--max-db-bytes", "512M"],
    // In memory alone: nothing is to be opened again.
    env: { SERVICE_SECRET_KEY: randomBytes(32).toString("hex") },
  });
  if (!("config" in start)) throw new Error("a demo is a server");
  const taken = Object.fromEntries(TAKEN.map((name) => [name, asked[name as keyof Config]]));
  // Each of them under its own name, which the compiler cannot follow through entries.
  return { ...start.config, ...(taken as Partial<Config>) };
}
