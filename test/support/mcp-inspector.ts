/** The command line of the MCP Inspector. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onDemand } from "../../tools/on-demand.ts";
import { decide, type Decision } from "./mcp-person.ts";
import { addressOf, CLIENT } from "./mcp-program.ts";
import { takePort } from "./ports.ts";
import { temporaryFolder } from "./program.ts";

const ANSWERS_WITHIN_MS = 60_000;

export interface InspectorRun {
  exitCode: number | null;
  /** What it printed as JSON. */
  output: unknown;
  /** The rest, with its errors. */
  errors: string;
  /** Where it sent the person, if it did. */
  asked: URL | undefined;
}

export interface Inspector {
  /** One command. The person decides when it sends them to a page. */
  run(args: readonly string[], decision?: Decision): Promise<InspectorRun>;
  /** The tokens that it keeps. */
  tokens(): string[];
}

/** An Inspector that keeps its tokens in a separate folder. */
export function createInspector(serverUrl: string): Inspector {
  const packages = onDemand("inspector");
  packages.install();
  const folder = temporaryFolder();
  const storage = join(folder, "storage");
  let commands = 0;
  return {
    tokens: () =>
      globSync("**/*.json", { cwd: storage })
        .flatMap((file) => [...readFileSync(join(storage, file), "utf8").matchAll(/_token[^:]*:[^"]*"([^"]+)"/g)])
        .map(([, token = ""]) => token)
        .sort(),
    async run(args, decision) {
      const callback = `http://127.0.0.1:${await takePort()}/oauth/callback`;
      const child = spawn(
        process.execPath,
        [
          join(packages.commands, "mcp-inspector"),
          "--cli",
          ...["--server-url", serverUrl, "--transport", "http", "--format", "json"],
          // Each command from another address: the limits stay on, and a fast machine does not meet them.
          ...["--header", `X-Forwarded-For: ${addressOf((commands += 1))}`],
          ...["--client-id", CLIENT.id, "--client-secret", CLIENT.secret, "--callback-url", callback],
          ...args,
        ],
        {
          cwd: folder,
          stdio: ["ignore", "pipe", "pipe"],
          env: {
            PATH: process.env["PATH"] ?? "",
            HOME: folder,
            MCP_STORAGE_DIR: storage,
            MCP_INSPECTOR_SECRET_STORE: "file",
            // It asks a person only where one could be, and then opens a browser: here that is us.
            MCP_AUTO_OPEN_ENABLED: "true",
            BROWSER: "true",
          },
        },
      );
      const giveUp = setTimeout(() => child.kill("SIGKILL"), ANSWERS_WITHIN_MS);
      let [printed, errors] = ["", ""];
      let asked: URL | undefined;
      let answered: Promise<unknown> = Promise.resolve();
      child.stdout.on("data", (chunk: Buffer) => (printed += String(chunk)));
      child.stderr.on("data", (chunk: Buffer) => {
        errors += String(chunk);
        const [, url] = /Please navigate to: (\S+)\s/.exec(errors) ?? [];
        if (url === undefined || asked !== undefined) return;
        asked = new URL(url);
        answered = decide(asked, decision).then((back) => fetch(back));
        answered.catch((error: unknown) => {
          errors += String(error);
          child.kill("SIGTERM");
        });
      });
      const [exitCode] = (await once(child, "close")) as [number | null];
      clearTimeout(giveUp);
      await answered;
      return { exitCode, output: printed.trim() === "" ? undefined : (JSON.parse(printed) as unknown), errors, asked };
    },
  };
}
