import { StartError } from "../platform/errors.ts";
import { toggle, type Option } from "./value-types.ts";

export const DEMO_OPTIONS = {
  demo: {
    flag: "--demo",
    env: "DEMO",
    type: toggle,
    default: "false",
    help: "Show the product with made-up data. Needs no runtime, keeps nothing and contacts nothing. Only the options of the web interface, of MCP and of the log apply.",
  },
} as const satisfies Record<string, Option>;

interface DemoValues {
  demo: boolean;
  mode: "embedded" | "server" | "agent";
  databasePath: string | undefined;
  databaseUrl: object | undefined;
  backupDir: string | undefined;
  backupS3: object | undefined;
  mcpStdio: boolean;
}

/** Throws a StartError when a demo is asked for together with what is real. */
export function requireDemoAlone({ demo, mode, databasePath, databaseUrl, backupDir, backupS3, mcpStdio }: DemoValues): void {
  if (!demo) return;
  const real = {
    [`--mode=${mode}`]: mode !== "embedded",
    "--db": databasePath !== undefined,
    "--database-url": databaseUrl !== undefined,
    "--backup-dir": backupDir !== undefined,
    "--backup-s3": backupS3 !== undefined,
    "--mcp-stdio": mcpStdio,
  };
  const first = Object.keys(real).find((name) => real[name] === true);
  if (first !== undefined)
    throw new StartError(
      `--demo: does not go together with ${first}: a demo watches nothing real and keeps nothing. Leave one of them out`,
    );
}
