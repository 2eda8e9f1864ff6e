import type { Scheduler } from "../platform/scheduler.ts";
import type { OpenTools, ToolsOptions } from "./open-tools.ts";
import type { UpdateTools } from "./update-tools.ts";

/** The tools of updates, which are loaded when they are first asked for. */
export interface Toolbox {
  tools(): Promise<UpdateTools>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const RETENTION_EVERY_MS = 3_600_000;

export function createToolbox({ scheduler, ...options }: ToolsOptions & { scheduler: Scheduler }): Toolbox {
  let opened: Promise<OpenTools> | undefined;

  async function open(): Promise<OpenTools> {
    const { openTools } = await import("./open-tools.ts");
    return openTools(options);
  }

  return {
    tools: () => (opened ??= open()),
    async start() {
      scheduler.every({
        name: "retention of what is known of images",
        everyMs: RETENTION_EVERY_MS,
        firstAfterMs: 140_000,
        // Until somebody asked for something there is nothing new to drop.
        run: async (signal) => (await opened)?.prune(signal),
      });
    },
    async stop() {
      (await opened)?.stop();
    },
  };
}
