import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { busyPercent, readCpuCount, readCpuTimes, readLoad, readMemory, readOsName, readUptimeSeconds } from "./host-files.ts";

const STAT = `cpu  760055 15900 359414 1472585 6906 0 9476 1878 5000 10
cpu0 380000 7950 179707 736292 3453 0 4738 939 2500 5
cpu1 380055 7950 179707 736293 3453 0 4738 939 2500 5
intr 1234 0 0
ctxt 5
btime 1795229335
`;

const MEMINFO = `MemTotal:       24684096 kB
MemFree:        23564320 kB
MemAvailable:   23953480 kB
Buffers:           24112 kB
Cached:           800000 kB
SwapCached:            0 kB
`;

describe("files of a host", () => {
  it("hold the CPU time of all CPUs: waiting is idle, and guests are counted once", () => {
    assert.deepEqual(readCpuTimes(STAT), { busy: 760_055 + 15_900 + 359_414 + 9476 + 1878, total: 2_626_214 });
    assert.deepEqual(readCpuTimes("cpu  10 0 5 100\n"), { busy: 15, total: 115 });
    assert.deepEqual([readCpuTimes(""), readCpuTimes("cpu0 1 2 3 4 5\n"), readCpuTimes("cpu  1 2\n")], [null, null, null]);
    assert.deepEqual([readCpuCount(STAT), readCpuCount("")], [2, null]);
  });

  it("hold memory: what could be had at once is not in use", () => {
    assert.deepEqual(readMemory(MEMINFO), { usedBytes: (24_684_096 - 23_953_480) * 1024, totalBytes: 24_684_096 * 1024 });
    const old = MEMINFO.replace(/^MemAvailable.*\n/m, "");
    assert.deepEqual(readMemory(old).usedBytes, (24_684_096 - 23_564_320 - 24_112 - 800_000) * 1024);
    assert.deepEqual(readMemory("MemTotal: 100 kB\n"), { usedBytes: null, totalBytes: 102_400 });
    assert.deepEqual(readMemory(""), { usedBytes: null, totalBytes: null });
  });

  it("hold load and uptime", () => {
    assert.deepEqual(readLoad("0.24 1.37 12.94 3/117 7385\n"), [0.24, 1.37, 12.94]);
    assert.deepEqual([readUptimeSeconds("13233.94 14725.85\n"), readUptimeSeconds("5 1\n")], [13_233, 5]);
    assert.deepEqual([readLoad(""), readLoad("a b c"), readUptimeSeconds("")], [null, null, null]);
  });

  for (const [text, name] of [
    ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian"\n', "Debian GNU/Linux 12 (bookworm)"],
    ["NAME=Alpine\nPRETTY_NAME='Alpine Linux v3.20'\n", "Alpine Linux v3.20"],
    ["PRETTY_NAME=Arch\n", "Arch"],
    ['PRETTY_NAME=""\n', null],
    ["NAME=x\n", null],
    ["", null],
  ] as const) {
    it(`hold the system's name: ${name}`, () => assert.equal(readOsName(text), name));
  }
});

describe("the share of time that CPUs were busy", () => {
  it("is that between two readings", () => {
    assert.equal(busyPercent({ busy: 150, total: 400 }, { busy: 100, total: 200 }), 25);
    assert.equal(busyPercent({ busy: 150, total: 400 }, null), null);
    assert.equal(busyPercent(null, { busy: 150, total: 400 }), null);
  });

  it("is unknown when no time has passed or the counters were set back, and stays within bounds when a part of them was", () => {
    assert.equal(busyPercent({ busy: 100, total: 200 }, { busy: 100, total: 200 }), null);
    assert.equal(busyPercent({ busy: 1, total: 2 }, { busy: 100, total: 200 }), null);
    assert.equal(busyPercent({ busy: 90, total: 300 }, { busy: 100, total: 200 }), 0);
    assert.equal(busyPercent({ busy: 300, total: 300 }, { busy: 100, total: 200 }), 100);
  });

  it("is from 0 to 100, whatever the counters", () => {
    const times = fc.record({ busy: fc.nat(), total: fc.nat() });
    fc.assert(
      fc.property(times, times, (now, before) => {
        const percent = busyPercent(now, before);
        assert.ok(percent === null || (percent >= 0 && percent <= 100));
      }),
    );
  });
});
