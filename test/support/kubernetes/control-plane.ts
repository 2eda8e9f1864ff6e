import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetesPrograms } from "../../../tools/on-demand.ts";

/** A program of the control plane, with its log in the folder. It ends with this process. */
export interface Daemon {
  /** Why it has ended, with the end of its log; undefined while it runs. */
  failure(): string | undefined;
  log(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
  /** As a debugger does: it is there and answers nothing. */
  freeze(): void;
  thaw(): void;
}

const END_WITHIN_MS = 10_000;

export function startDaemon(folder: string, name: string, args: readonly string[]): Daemon {
  const path = join(folder, `${name}.log`);
  const log = openSync(path, "a");
  const command = name === "etcd" ? "etcd" : join(kubernetesPrograms().commands, name);
  const child: ChildProcess = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = once(child, "exit").then(() => process.off("exit", kill));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    failure: () =>
      hasEnded() ? `${name} ended with ${child.signalCode ?? child.exitCode}:\n${readFileSync(path, "utf8").slice(-4000)}` : undefined,
    log: () => readFileSync(path, "utf8"),
    async end(signal = "SIGTERM") {
      if (hasEnded()) return;
      child.kill(signal);
      const giveUp = setTimeout(kill, END_WITHIN_MS);
      await exited;
      clearTimeout(giveUp);
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}
