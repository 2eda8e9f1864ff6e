import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { readField, readIoStat, readMemberships, readNetworkDevices, readNumber, readServiceBytes } from "./cgroup-files.ts";

const SERVICE_BYTES = `254:0 Read 4096
254:0 Write 20996096
254:0 Sync 21000192
254:0 Async 0
254:0 Discard 0
254:0 Total 21000192
7:1 Read 100
7:1 Write 0
7:1 Total 100
Total 21000292
`;

const IO_STAT = `259:0 rbytes=12288 wbytes=4096 rios=3 wios=1 dbytes=512 dios=1
253:1 rbytes=100 wbytes=200 rios=1 wios=1 dbytes=0 dios=0
7:0 
8:16 rbytes=1 wbytes=0 rios=1 wios=0 dbytes=0 dios=0 cost.usage=5
`;

const NET_DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    5000      50    0    0    0     0          0         0     5000      50    0    0    0     0       0          0
  eth0: 1234567     900    0    0    0     0          0         0    76543     800    0    0    0     0       0          0
 eth1:10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
`;

describe("files of control groups", () => {
  it("hold a number", () => {
    assert.deepEqual(["0\n", "12345678901\n", "max\n", "", "-1", "1 2", "1e5"].map(readNumber), [
      0,
      12_345_678_901,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("hold numbers beside names", () => {
    const stat = "cache 5\ninactive_anon 1\ninactive_file 4096\nfile 7\ntotal_inactive_file 8192\nlast 3";
    assert.deepEqual(
      ["cache", "inactive_file", "total_inactive_file", "file", "last", "active_file", "inactive"].map((name) => readField(stat, name)),
      [5, 4096, 8192, 7, 3, null, null],
    );
    assert.deepEqual([readField("", "x"), readField("x", "x"), readField("x y", "x")], [null, null, null]);
  });

  it("hold what was moved to and from disks, version 1", () => {
    assert.deepEqual(readServiceBytes(SERVICE_BYTES), { readBytes: 4196, writeBytes: 20_996_096 });
    assert.deepEqual(readServiceBytes("8:0 Read 0\n8:0 Write 0\n8:0 Total 0\nTotal 0\n"), { readBytes: 0, writeBytes: 0 });
    assert.equal(readServiceBytes("Total 0\n"), null);
    assert.equal(readServiceBytes(""), null);
  });

  it("hold what was moved to and from disks, version 2", () => {
    assert.deepEqual(readIoStat(IO_STAT), { readBytes: 12_389, writeBytes: 4296 });
    assert.deepEqual(readIoStat(""), { readBytes: 0, writeBytes: 0 });
  });

  it("hold the groups of a process", () => {
    assert.deepEqual(readMemberships("12:cpu,cpuacct:/docker/x\n1:name=systemd:/docker/x\n0::/system.slice/a:b.scope\nnonsense\n"), [
      { controllers: ["cpu", "cpuacct"], path: "/docker/x" },
      { controllers: ["name=systemd"], path: "/docker/x" },
      { controllers: [], path: "/system.slice/a:b.scope" },
    ]);
  });
});

describe("network devices", () => {
  it("are summed without the loopback", () => {
    assert.deepEqual(readNetworkDevices(NET_DEV), { rxBytes: 1_234_577, txBytes: 76_563 });
  });

  it("are unknown where there is only the loopback, or nothing", () => {
    const withoutOthers = NET_DEV.split("\n").slice(0, 3).join("\n");
    assert.deepEqual([readNetworkDevices(withoutOthers), readNetworkDevices(""), readNetworkDevices("eth0: what")], [null, null, null]);
  });

  it("are summed whatever their number and names", () => {
    const device = fc.record({ name: fc.stringMatching(/^[a-z][a-z0-9.@_-]{0,14}$/), rx: fc.nat(), tx: fc.nat() });
    fc.assert(
      fc.property(fc.array(device), (devices) => {
        const lines = devices.map(({ name, rx, tx }) => `${name.padStart(6)}: ${rx} 0 0 0 0 0 0 0 ${tx} 0 0 0 0 0 0 0`);
        const others = devices.filter(({ name }) => name !== "lo");
        const sum = (of: "rx" | "tx"): number => others.reduce((total, each) => total + each[of], 0);
        const expected = others.length === 0 ? null : { rxBytes: sum("rx"), txBytes: sum("tx") };
        assert.deepEqual(readNetworkDevices(`${NET_DEV.split("\n").slice(0, 2).join("\n")}\n${lines.join("\n")}\n`), expected);
      }),
    );
  });
});
