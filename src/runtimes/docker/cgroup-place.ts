import { type Membership, readMemberships } from "./cgroup-contents.ts";

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

export interface CgroupSubject {
  externalId: string;
  pid: number;
  hasOwnNetwork: boolean;
}

/** Parents that engines give their groups: tried when ours hides what lies above it, so that the path we are told does not begin at the root. */
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

/** The groups of a container's first process that bear its id, cut after it: what runs inside may have made groups of its own. */
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
