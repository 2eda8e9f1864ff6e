/**
 * Packages that few commands need: each set is installed when it is first used, into a cache folder outside of HOME and of node_modules.
 * The lock files in tools/on-demand/ pin versions and contents.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** One set of packages; `commands` is the folder of their executables. */
export interface OnDemand {
  commands: string;
  isInstalled(): boolean;
  /** Installs the set unless it is there; throws npm's output when that fails. */
  install(): void;
}

/** `wire`: buf and the generator of messages. `inspector`: the MCP Inspector. */
export function onDemand(name: "wire" | "inspector"): OnDemand {
  const source = join(ROOT, "tools/on-demand", name);
  const version = createHash("sha256")
    .update(readFileSync(join(source, "package-lock.json")))
    .digest("hex");
  const cache = join("/var/tmp", `binnacle-${process.getuid?.() ?? "user"}`);
  const folder = join(cache, `${name}-${process.platform}-${process.arch}-${version.slice(0, 16)}`);
  const isInstalled = (): boolean => existsSync(folder);
  return {
    commands: join(folder, "node_modules/.bin"),
    isInstalled,
    install() {
      makePrivate(cache);
      if (isInstalled()) return;
      console.log(`installing the packages of tools/on-demand/${name} into ${cache}`);
      const partial = mkdtempSync(join(cache, `${name}-`));
      try {
        for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(source, file), join(partial, file));
        const { status, stdout, stderr } = spawnSync("npm", ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
          cwd: partial,
          encoding: "utf8",
          env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
        });
        if (status !== 0) throw new Error(`npm ci of tools/on-demand/${name} failed:\n${stdout}${stderr}`);
        moveInto(partial, folder);
      } finally {
        rmSync(partial, { recursive: true, force: true });
      }
    },
  };
}

/** Others may write to the folder above: what they laid there must not be run. */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else, or others may write to it`);
}

/** Two runs may install at once: the first is kept. */
function moveInto(partial: string, folder: string): void {
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
