import { spawn } from "node:child_process";
import { once } from "node:events";
import { isIsolated } from "../../tools/testing/isolation.ts";

/** Another release of the system, whose programs run in a separate mount namespace with its folder as root. */
export interface Release {
  /** Its root folder as this process reaches it. Its /tmp and /run are new and empty. */
  root: string;
  /** What a command line begins with to run there. */
  enter: readonly string[];
  /** Ends the namespace with all its mounts. Programs there must have ended. */
  leave(): Promise<void>;
}

/** A chroot would not do: what is executed in a container of an engine in it would find the root of this machine. */
const HOLD = `
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs run
pivot_root . mnt
umount -l /mnt
echo ready
exec sleep infinity`;

/** Holds the release in the folder ready. Needs root and the namespaces of `npm test`. */
export async function enterRelease(folder: string): Promise<Release> {
  if (!isIsolated()) throw new Error("Engines of another release would change this machine's cgroups: run it with npm test.");
  const holder = spawn("unshare", ["--mount", "sh", "-e", "-c", HOLD, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(holder, "exit");
  const isReady = await Promise.race([once(holder.stdout, "data").then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error(`${folder} cannot be entered`);
  return {
    root: `/proc/${holder.pid}/root`,
    enter: ["nsenter", `--target=${holder.pid}`, "--mount", "env", "TMPDIR=/tmp"],
    async leave() {
      holder.kill("SIGKILL");
      await ended;
    },
  };
}
