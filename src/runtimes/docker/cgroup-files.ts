/** Where the kernel's files on a container are found. Undefined is what this host does not keep or does not show us. */
export interface CgroupPlace {
  cpu: Found;
  memory: { usage: Found; stat: Found } | undefined;
  /** The first that says anything is believed. */
  disk: readonly Found[];
  network: string | undefined;
}

interface Found {
  path: string;
  version: 1 | 2;
}

/** Where to look, and how; the functions are those of node:fs. */
export interface CgroupSearch {
  /** /proc of the host, or where it is mounted. */
  procPath: string;
  /** Where control groups may be mounted. */
  roots: readonly string[];
  /** Throws when the file cannot be read. */
  read: (path: string) => string;
  isReadable: (path: string) => boolean;
}

interface CgroupSubject {
  externalId: string;
  pid: number;
  hasOwnNetwork: boolean;
}

/** Parents that engines give their groups: tried when ours hides what lies above it, so that the path we read does not begin at the root. */
const USUAL_PARENTS = ["", "/docker", "/system.slice", "/machine.slice", "/libpod_parent"];

const DISK_FILES = [
  "blkio.throttle.io_service_bytes_recursive",
  "blkio.bfq.io_service_bytes_recursive",
  "blkio.io_service_bytes_recursive",
];

/**
 * Finds the files of a container; undefined unless it is proven to run on this host: the group of its first process is named after its id.
 * A process of another host that happens to have this number is not in such a group.
 */
export function findCgroupPlace(subject: CgroupSubject, search: CgroupSearch): CgroupPlace | undefined {
  const memberships = membershipsOf(subject, search);
  if (memberships.length === 0) return undefined;

  const find = (controller: string | undefined, file: string): string | undefined => {
    const membership = memberships.find(({ controllers }) =>
      controller === undefined ? controllers.length === 0 : controllers.includes(controller),
    );
    return membership && candidates(membership, controller, search.roots, file).find(search.isReadable);
  };
  const version1 = (controller: string, file: string): Found | undefined => found(find(controller, file), 1);
  const version2 = (file: string): Found | undefined => found(find(undefined, file), 2);

  // On a host with both versions each controller belongs to one of them; the old one is then the one that engines use.
  const cpu = version1("cpuacct", "cpuacct.usage") ?? version2("cpu.stat");
  if (cpu === undefined) return undefined;
  const usage = version1("memory", "memory.usage_in_bytes") ?? version2("memory.current");
  const stat = version1("memory", "memory.stat") ?? version2("memory.stat");
  const disk = [...DISK_FILES.map((file) => version1("blkio", file)), version2("io.stat")];
  return {
    cpu,
    memory: usage !== undefined && stat?.version === usage.version ? { usage, stat } : undefined,
    disk: disk.filter((each) => each !== undefined),
    network: subject.hasOwnNetwork ? `${search.procPath}/${subject.pid}/net/dev` : undefined,
  };
}

/** The groups of a container's first process that bear its id, cut after it: what runs inside may have made more groups. */
function membershipsOf({ externalId, pid }: CgroupSubject, { procPath, read }: CgroupSearch): Membership[] {
  if (!/^[0-9a-f]{64}$/.test(externalId) || pid <= 0) return [];
  let text: string;
  try {
    text = read(`${procPath}/${pid}/cgroup`);
  } catch {
    // Another host's, ended, or hidden from us.
    return [];
  }
  return readMemberships(text).flatMap(({ controllers, path }) => {
    const segments = path.split("/");
    const own = segments.findIndex((segment) => segment.includes(externalId));
    return own === -1 ? [] : [{ controllers, path: segments.slice(0, own + 1).join("/") }];
  });
}

function candidates({ controllers, path }: Membership, controller: string | undefined, roots: readonly string[], file: string): string[] {
  const mounts = controller === undefined ? ["", "/unified"] : [...new Set([`/${controllers.join(",")}`, `/${controller}`])];
  const below = path.replace(/^(?:\/\.\.)+/, "");
  const own = path.slice(path.lastIndexOf("/"));
  const paths = [...new Set([below, ...USUAL_PARENTS.map((parent) => parent + own)])];
  return roots.flatMap((root) => mounts.flatMap((mount) => paths.map((group) => `${root}${mount}${group}/${file}`)));
}

function found(path: string | undefined, version: 1 | 2): Found | undefined {
  return path === undefined ? undefined : { path, version };
}

/** What stands in the files of control groups, version 1 and 2. Every reader answers null for what is not there or not understood. */

/** Bytes moved to and from block devices. */
export interface Transfers {
  readBytes: number;
  writeBytes: number;
}

/** A file that holds one number. */
export function readNumber(text: string): number | null {
  const digits = text.trim();
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

/** The number beside a name in a file of lines such as `inactive_file 4096`. */
export function readField(text: string, name: string): number | null {
  const start = text.startsWith(`${name} `) ? 0 : text.indexOf(`\n${name} `) + 1;
  if (start === 0 && !text.startsWith(`${name} `)) return null;
  const end = text.indexOf("\n", start);
  return readNumber(text.slice(start + name.length + 1, end === -1 ? undefined : end));
}

/**
 * Version 1: lines such as `8:0 Read 4096`. A file without any device says nothing: kernels since 6 keep it empty, whatever is written,
 * until a limit on the device is set.
 */
export function readServiceBytes(text: string): Transfers | null {
  const totals: Transfers = { readBytes: 0, writeBytes: 0 };
  let devices = 0;
  for (const [, operation, bytes] of text.matchAll(/^\d+:\d+ (Read|Write) (\d{1,20})$/gim)) {
    devices += 1;
    totals[operation?.toLowerCase() === "read" ? "readBytes" : "writeBytes"] += Number(bytes);
  }
  return devices === 0 ? null : totals;
}

/** Version 2: lines such as `8:0 rbytes=4096 wbytes=0 rios=1 ...`. Every device that was ever used has a line, so none means zero. */
export function readIoStat(text: string): Transfers {
  const totals: Transfers = { readBytes: 0, writeBytes: 0 };
  for (const [, kind, bytes] of text.matchAll(/ ([rw])bytes=(\d{1,20})\b/g)) {
    totals[kind === "r" ? "readBytes" : "writeBytes"] += Number(bytes);
  }
  return totals;
}

/** A line of /proc/PID/net/dev: the interface, the bytes received, and after seven other counters the bytes sent. */
const DEVICE = /^ *([^\s:|]+): *(\d+)(?: +\d+){7} +(\d+)/gm;

/** Of /proc/PID/net/dev, all interfaces but the loopback; null when there is no other. */
export function readNetworkDevices(text: string): { rxBytes: number; txBytes: number } | null {
  let interfaces = 0;
  let rxBytes = 0;
  let txBytes = 0;
  for (const [, name, received, sent] of text.matchAll(DEVICE)) {
    if (name === "lo") continue;
    interfaces += 1;
    rxBytes += Number(received);
    txBytes += Number(sent);
  }
  return interfaces === 0 ? null : { rxBytes, txBytes };
}

/** One line of /proc/PID/cgroup: the controllers of a hierarchy (none in version 2) and the group's path in it. */
interface Membership {
  controllers: string[];
  path: string;
}

export function readMemberships(text: string): Membership[] {
  return text.split("\n").flatMap((line) => {
    const [, controllers = "", path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ controllers: controllers.split(",").filter((name) => name !== ""), path }];
  });
}
