/** The real parts that tests need, as data: how each is recognised, installed on Debian, and which tests it serves. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canIsolate, isIsolated } from "./testing/isolation.ts";
import { startEngine } from "../test/support/engine.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { helm, kubernetesPrograms, newerEngines, onDemand } from "./on-demand.ts";

export interface Part {
  name: string;
  /** Test files that import this, directly or not, need the part. */
  support: string;
  /** Debian's packages with it. */
  packages: readonly string[];
  /** What of it is not here. */
  missing(): string[];
  /** Installs what Debian has no package of. */
  install?(): void;
  /** Starts one for the whole run, and says by which variable tests find it. */
  start?(): Promise<{ variable: string; value: string; stop(): Promise<void> }>;
}

/** What the whole run needs where we are root, whichever tests it has. */
export const ISOLATION: Part = {
  name: "Namespaces",
  support: "",
  packages: ["iproute2", "mount", "util-linux"],
  missing: () => missingCommands("ip", "mount", "unshare"),
};

export const PARTS: readonly Part[] = [
  {
    name: "Docker Engine",
    support: "test/support/engine.ts",
    packages: ["docker.io", "docker-cli", "iptables", "busybox-static"],
    missing: () => [
      ...missingCommands("dockerd", "docker", "iptables"),
      ...(isStaticBusybox() ? [] : ["a static /bin/busybox"]),
      ...missingRoot(),
      ...(isIsolated() || canIsolate() ? [] : ["namespaces, for a separate network"]),
    ],
    async start() {
      const { host, stop } = await startEngine();
      return { variable: "BINNACLE_TEST_ENGINE", value: host, stop };
    },
  },
  {
    name: "Podman",
    support: "test/support/podman.ts",
    packages: ["podman", "runc", "busybox-static"],
    missing: () => [
      ...missingCommands("podman", "runc"),
      ...(isStaticBusybox() ? [] : ["a static /bin/busybox"]),
      ...missingRoot(),
      ...(isIsolated() || canIsolate() ? [] : ["namespaces, for separate cgroups and a separate /run"]),
    ],
  },
  {
    name: "Newer engines",
    support: "test/support/newer-engines.ts",
    packages: ["debootstrap"],
    missing: () => [...(newerEngines().isInstalled() ? [] : ["Debian's newest Docker and Podman"]), ...missingRoot()],
    install: () => newerEngines().install(),
  },
  {
    name: "Kubernetes",
    support: "test/support/kubernetes/cluster.ts",
    packages: ["etcd-server", "openssl"],
    missing: () => [
      ...missingCommands("etcd", "openssl"),
      ...(kubernetesPrograms().isInstalled() ? [] : ["Kubernetes, built from Debian's source package"]),
    ],
    install: () => kubernetesPrograms().install(),
  },
  {
    name: "Helm",
    support: "test/support/helm.ts",
    packages: ["python3"],
    missing: () => (helm().isInstalled() ? [] : ["Helm, of tools/on-demand/helm"]),
    install: () => helm().install(),
  },
  {
    name: "PostgreSQL",
    support: "test/support/postgres.ts",
    packages: ["postgresql"],
    missing: () => [...(globSync("/usr/lib/postgresql/*/bin/initdb").length > 0 ? [] : ["initdb"]), ...missingRoot()],
    async start() {
      const { url, stop } = await startPostgres();
      return { variable: "BINNACLE_TEST_POSTGRES", value: url, stop };
    },
  },
  {
    name: "Docker's registry",
    support: "test/support/registry.ts",
    packages: ["docker-registry"],
    missing: () => missingCommands("docker-registry"),
  },
  {
    name: "A disk that fills up",
    support: "test/support/small-disk.ts",
    packages: [],
    missing: missingRoot,
  },
  {
    name: "A disk that fails",
    support: "test/support/disk-faults.ts",
    packages: ["gcc", "libc6-dev"],
    missing: () => missingCommands("gcc"),
  },
  {
    name: "A clock that is set",
    support: "test/support/set-clock.ts",
    packages: ["gcc", "libc6-dev"],
    missing: () => missingCommands("gcc"),
  },
  {
    name: "Compose",
    support: "test/support/compose.ts",
    packages: ["docker-compose"],
    missing: () => missingCommands("docker-compose"),
  },
  {
    name: "Network namespaces",
    support: "test/support/networks.ts",
    packages: ["iproute2"],
    missing: () => [...missingCommands("ip"), ...missingRoot()],
  },
  {
    name: "A second host",
    support: "test/support/two-hosts.ts",
    packages: ["docker.io", "docker-cli", "docker-compose", "iptables", "iproute2", "util-linux"],
    missing: () => [...missingCommands("dockerd", "docker", "docker-compose", "iptables", "ip", "unshare", "nsenter"), ...missingRoot()],
  },
  {
    name: "OpenSSL",
    support: "test/support/tls-authority.ts",
    packages: ["openssl"],
    missing: () => missingCommands("openssl"),
  },
  {
    name: "Programs that jobs report with",
    support: "test/support/job-programs.ts",
    packages: ["curl", "wget", "python3"],
    missing: () => missingCommands("curl", "wget", "python3"),
  },
  {
    name: "Debian's package manager",
    support: "test/support/dpkg.ts",
    packages: ["dpkg"],
    missing: () => missingCommands("dpkg", "dpkg-query"),
  },
  {
    name: "Python",
    support: "test/support/python.ts",
    packages: ["python3"],
    missing: () => missingCommands("python3"),
  },
  {
    name: "Python's YAML",
    support: "test/support/yaml.ts",
    packages: ["python3", "python3-yaml"],
    missing: () => (spawnSync("/usr/bin/python3", ["-c", "import yaml"]).status === 0 ? [] : ["python3-yaml"]),
  },
  {
    name: "S3-compatible store",
    support: "test/support/s3-server.ts",
    packages: ["python3-swift"],
    missing: () => (spawnSync("/usr/bin/python3", ["-c", "import swift"]).status === 0 ? [] : ["python3-swift"]),
  },
  {
    name: "nginx",
    support: "test/support/nginx.ts",
    packages: ["nginx-light"],
    missing: () => missingCommands("nginx"),
  },
  {
    name: "Chromium",
    support: "test/support/browser.ts",
    packages: ["chromium-headless-shell"],
    missing: () => missingCommands("chromium-headless-shell"),
  },
  {
    name: "MCP Inspector",
    support: "test/support/mcp-inspector.ts",
    packages: [],
    missing: () => (onDemand("inspector").isInstalled() ? [] : ["npm's packages of tools/on-demand/inspector"]),
    install: () => onDemand("inspector").install(),
  },
  {
    name: "Nu HTML checker",
    support: "test/support/html-checker.ts",
    packages: ["default-jre-headless"],
    missing: () => [...missingCommands("java"), ...(onDemand("vnu").isInstalled() ? [] : ["npm's packages of tools/on-demand/vnu"])],
    install: () => onDemand("vnu").install(),
  },
];

/** Installs what tools need that work with the same machines as tests: the parts behind these supports. */
export function installFor(supports: readonly string[]): void {
  installMissing([ISOLATION, ...PARTS.filter(({ support }) => supports.includes(support))]);
}

/** Installs what is missing: Debian's packages as root on Debian, then what has no package. Prints one line, and the installer's own output only when it fails. */
export function installMissing(parts: readonly Part[]): void {
  const absent = parts.filter((part) => part.missing().length > 0);
  installPackages(absent.filter(({ packages }) => packages.length > 0));
  for (const part of absent) {
    try {
      part.install?.();
    } catch (error) {
      console.error(String(error));
    }
  }
}

function installPackages(wanted: readonly Part[]): void {
  if (wanted.length === 0 || !isRoot() || missingCommands("apt-get").length > 0) return;
  console.log(`installing ${wanted.map(({ name }) => name).join(", ")} with apt-get; this takes a minute or two`);
  aptGet("update", "-q");
  // Releases differ in how they split packages.
  const packages = wanted.flatMap((part) => part.packages).filter((name) => spawnSync("apt-cache", ["show", name]).status === 0);
  aptGet("install", "-q", "-y", "--no-install-recommends", ...packages);
}

function aptGet(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync("apt-get", args, {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status !== 0) console.error(`${stdout}${stderr}\napt-get ${args.join(" ")} failed`);
}

function missingCommands(...names: string[]): string[] {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

function isStaticBusybox(): boolean {
  return existsSync("/bin/busybox") && spawnSync("ldd", ["/bin/busybox"]).status !== 0;
}

function missingRoot(): string[] {
  return isRoot() ? [] : ["root, to start it"];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
