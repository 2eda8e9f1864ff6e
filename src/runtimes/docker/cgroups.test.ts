import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fakeContainer } from "../../../test/support/fake-runtime.ts";
import { type CgroupReader, createCgroupReader } from "./cgroups.ts";
import { type InspectedContainer, NO_TRAITS } from "./container.ts";
import type { Figures } from "./usage.ts";

const ID = "0123456789abcdef".repeat(4);
const NET_DEV = `Inter-|   Receive | Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier compressed
    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0
  eth0: 700 1 0 0 0 0 0 0 80 1 0 0 0 0 0 0
`;
const FIGURES: Figures = {
  readAtMs: 0,
  cpuNanoseconds: 52_110_000,
  memoryBytes: 8_388_608,
  networkRxBytes: 700,
  networkTxBytes: 80,
  diskReadBytes: 12_288,
  diskWriteBytes: 4096,
};

/** A container's files as a kernel shows them, version 1 and 2. */
const VERSION_1 = {
  cpu: { "cpuacct.usage": "52110000\n", "cpu.cfs_quota_us": "-1\n" },
  memory: {
    "memory.usage_in_bytes": "10485760\n",
    "memory.stat": "cache 2097152\ninactive_file 1\nhierarchical_memory_limit 9223372036854771712\ntotal_inactive_file 2097152\n",
  },
  blkio: {
    "blkio.throttle.io_service_bytes_recursive": "8:0 Read 12288\n8:0 Write 4096\n8:0 Total 16384\nTotal 16384\n",
  },
};
const VERSION_2 = {
  "cpu.stat": "usage_usec 52110\nuser_usec 40110\nsystem_usec 12000\nnr_periods 0\n",
  "memory.current": "10485760\n",
  "memory.stat": "anon 4000000\nfile 6000000\nkernel 1\ninactive_anon 3\nactive_file 3902848\ninactive_file 2097152\n",
  "io.stat": "8:0 rbytes=12288 wbytes=4096 rios=3 wios=1 dbytes=0 dios=0\n",
};

describe("control groups", () => {
  let folder: string;
  let reader: CgroupReader;
  const clock = createFakeClock();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "binnacle-cgroups-"));
    reader = createCgroupReader({ procPath: join(folder, "proc"), clock, roots: [join(folder, "sys"), join(folder, "host/sys")] });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  function writeAll(group: string, files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) write(`${group}/${name}`, text);
  }
  function process(pid: number, cgroup: string): void {
    write(`proc/${pid}/cgroup`, cgroup);
    write(`proc/${pid}/net/dev`, NET_DEV);
  }
  function container(pid: number | null, facts: Partial<InspectedContainer["container"]> = {}): InspectedContainer {
    return { ...NO_TRAITS, pid, container: fakeContainer(1, { externalId: ID, networkMode: "bridge", ...facts }) };
  }

  const layouts = [
    { name: "systemd", path: `/system.slice/docker-${ID}.scope`, group: `system.slice/docker-${ID}.scope` },
    { name: "cgroupfs", path: `/docker/${ID}`, group: `docker/${ID}` },
    { name: "Podman", path: `/machine.slice/libpod-${ID}.scope/container`, group: `machine.slice/libpod-${ID}.scope` },
    {
      name: "rootless Docker",
      path: `/user.slice/user-1000.slice/user@1000.service/user.slice/docker-${ID}.scope`,
      group: `user.slice/user-1000.slice/user@1000.service/user.slice/docker-${ID}.scope`,
    },
    { name: "an init system inside", path: `/system.slice/docker-${ID}.scope/init.scope`, group: `system.slice/docker-${ID}.scope` },
    { name: "a custom parent", path: `/builds/${ID}`, group: `builds/${ID}` },
    { name: "systemd, seen from another container", path: `/../docker-${ID}.scope`, group: `system.slice/docker-${ID}.scope` },
    { name: "cgroupfs, seen from another container", path: `/../${ID}`, group: `docker/${ID}` },
  ];
  for (const { name, path, group } of layouts) {
    for (const root of ["sys", "host/sys"]) {
      it(`are read, version 2, in the layout of ${name} at ${root}`, () => {
        process(42, `0::${path}\n`);
        writeAll(`${root}/${group}`, VERSION_2);
        assert.deepEqual(reader.read(container(42)), FIGURES);
      });

      it(`are read, version 1, in the layout of ${name} at ${root}`, () => {
        process(42, `9:name=systemd:${path}\n5:memory:${path}\n4:blkio:${path}\n3:cpu,cpuacct:${path}\n0::/\n`);
        writeAll(`${root}/cpu,cpuacct/${group}`, VERSION_1.cpu);
        writeAll(`${root}/memory/${group}`, VERSION_1.memory);
        writeAll(`${root}/blkio/${group}`, VERSION_1.blkio);
        assert.deepEqual(reader.read(container(42)), FIGURES);
      });
    }
  }

  it("are read where both versions are in use", () => {
    process(42, `2:cpuacct:/docker/${ID}\n1:blkio:/docker/${ID}\n0::/docker/${ID}\n`);
    writeAll(`sys/cpuacct/docker/${ID}`, VERSION_1.cpu);
    writeAll(`sys/blkio/docker/${ID}`, VERSION_1.blkio);
    writeAll(`sys/unified/docker/${ID}`, { ...VERSION_2, "cpu.stat": "usage_usec 1\n", "io.stat": "" });
    assert.deepEqual(reader.read(container(42)), FIGURES);
  });

  it("say nothing of what the host does not count", () => {
    process(42, `0::/docker/${ID}\n`);
    writeAll(`sys/docker/${ID}`, { "cpu.stat": VERSION_2["cpu.stat"] });
    const uncounted = { memoryBytes: null, diskReadBytes: null, diskWriteBytes: null };
    assert.deepEqual(reader.read(container(42)), { ...FIGURES, ...uncounted });
  });

  it("believe the first file on disks that says anything", () => {
    process(42, `3:blkio:/docker/${ID}\n0::/docker/${ID}\n`);
    writeAll(`sys/docker/${ID}`, { "cpu.stat": VERSION_2["cpu.stat"], "memory.current": "1\n", "memory.stat": "" });
    const files = {
      "blkio.throttle.io_service_bytes_recursive": "Total 0\n",
      "blkio.bfq.io_service_bytes_recursive": "8:0 Read 6\nTotal 6\n",
    };
    writeAll(`sys/blkio/docker/${ID}`, files);
    assert.deepEqual(reader.read(container(42)), { ...FIGURES, memoryBytes: 1, diskReadBytes: 6, diskWriteBytes: 0 });
  });

  for (const mode of ["host", "none", `container:${"b".repeat(64)}`]) {
    it(`leave out a network that is not its own: ${mode.slice(0, 12)}`, () => {
      process(42, `0::/docker/${ID}\n`);
      writeAll(`sys/docker/${ID}`, VERSION_2);
      assert.deepEqual(reader.read(container(42, { networkMode: mode })), { ...FIGURES, networkRxBytes: null, networkTxBytes: null });
    });
  }

  it("are not believed to be a container's because a process here has the same number", () => {
    process(42, "0::/system.slice/ssh.service\n");
    writeAll("sys/system.slice/ssh.service", VERSION_2);
    writeAll("sys", VERSION_2);
    writeAll(`sys/docker/${ID}`, VERSION_2);
    assert.equal(reader.read(container(42)), "elsewhere");
    assert.equal(reader.read(container(43)), "elsewhere");
    assert.equal(reader.read(container(null)), "elsewhere");
    process(44, `0::/docker/${ID}\n`);
    assert.equal(reader.read(container(44, { externalId: "" })), "elsewhere");
  });

  it("are found again after a restart, and not before", () => {
    process(42, `0::/docker/${ID}\n`);
    writeAll(`sys/docker/${ID}`, VERSION_2);
    reader.read(container(42));
    rmSync(join(folder, "sys/docker"), { recursive: true });
    assert.equal(reader.read(container(42)), "gone");
    process(77, `0::/machine.slice/libpod-${ID}.scope\n`);
    writeAll(`sys/machine.slice/libpod-${ID}.scope`, { ...VERSION_2, "cpu.stat": "usage_usec 7\n" });
    const again = reader.read(container(77));
    assert.ok(typeof again === "object" && again.cpuNanoseconds === 7000);
  });

  it("are those of the latest start", () => {
    process(42, `0::/docker/${ID}\n`);
    writeAll(`sys/docker/${ID}`, VERSION_2);
    reader.read(container(42));
    process(77, `0::/docker/${ID}\n`);
    write("proc/77/net/dev", NET_DEV.replace("700", "0"));
    assert.deepEqual(reader.read(container(77)), { ...FIGURES, networkRxBytes: 0 });
  });

  it("are looked for once for each start, until the container is forgotten", () => {
    process(42, "0::/\n");
    writeAll(`sys/docker/${ID}`, VERSION_2);
    assert.equal(reader.read(container(42)), "elsewhere");
    process(42, `0::/docker/${ID}\n`);
    assert.equal(reader.read(container(42)), "elsewhere");
    reader.keep(new Set([ID]));
    assert.equal(reader.read(container(42)), "elsewhere");
    reader.keep(new Set());
    assert.deepEqual(reader.read(container(42)), FIGURES);
  });
});
