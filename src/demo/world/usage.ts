import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { DemoContainer } from "./containers.ts";
import { noise, seedOf } from "./noise.ts";

/** What a container uses at a moment, always the same for the same moment. Rates are of bytes a second. */
export interface Usage {
  cores: number;
  memoryBytes: number;
  rxPerSecond: number;
  txPerSecond: number;
  readPerSecond: number;
  writePerSecond: number;
}

const KIB = 1024;
const MIB = 1024 ** 2;
const PAGE = 4096;

/** How busy people are by the hour of the day (UTC), 1 in the mean. */
const BY_HOUR = [
  ...[0.52, 0.42, 0.36, 0.33, 0.36, 0.48, 0.72, 0.98, 1.18, 1.3, 1.34, 1.36],
  ...[1.32, 1.26, 1.24, 1.26, 1.3, 1.38, 1.5, 1.58, 1.5, 1.26, 0.96, 0.7],
];

/** Before the update of payments; from then on a leak takes so much more each hour. */
const LEAKING_MS = 26 * HOUR_MS;
const LEAK_MIB_AN_HOUR = 14.5;

export function createUsage(
  { unit, name, cores, memoryMib, limitMib, trafficKbps, diskKbps, fate }: DemoContainer,
  { updatedMs }: { updatedMs: number },
) {
  const seed = seedOf(name);
  const isBatch = unit.includes("runner") || unit.includes("resizer") || fate === "filling";
  const ceilingBytes = (limitMib ?? memoryMib * 4) * MIB;

  /** How busy it is, about 1: by the hour, the day of the week, the season, and by chance that changes slowly. */
  function levelAt(atMs: number): number {
    const hour = atMs / HOUR_MS;
    const whole = Math.floor(hour);
    const part = hour - whole;
    const at = (step: number): number => {
      const day = Math.floor(step / 24);
      const weekend = (day + 4) % 7 >= 5 ? 0.82 : 1;
      const season = 0.86 + 0.28 * Math.sin((day / 365) * 2 * Math.PI + 4) ** 2;
      const burst = isBatch && noise(seed, 4, step) > 0.8 ? 2.1 : 1;
      return (BY_HOUR[((step % 24) + 24) % 24] ?? 1) * weekend * season * burst * (0.85 + 0.3 * noise(seed, 1, step));
    };
    return at(whole) * (1 - part) + at(whole + 1) * part;
  }

  function memoryAt(atMs: number, level: number): number {
    const leakedMib = fate === "leaking" ? (Math.max(0, atMs - updatedMs + LEAKING_MS) / HOUR_MS) * LEAK_MIB_AN_HOUR : 0;
    const usedMib = memoryMib * (0.93 + 0.06 * level + 0.03 * noise(seed, 2, Math.floor(atMs / 300_000))) + leakedMib;
    const share =
      fate === "filling"
        ? // Fills its limit over three days, and starts over.
          0.55 + 0.43 * (((atMs + seed) % (3 * DAY_MS)) / (3 * DAY_MS))
        : (usedMib * MIB) / ceilingBytes;
    return Math.floor((Math.min(share, 0.985) * ceilingBytes) / PAGE) * PAGE;
  }

  return {
    levelAt,
    at(atMs: number, level = levelAt(atMs)): Usage {
      const tick = Math.floor(atMs / 10_000);
      const jitter = 0.8 + 0.4 * noise(seed, 3, tick);
      const traffic = trafficKbps * KIB * level * jitter;
      const disk = diskKbps * KIB * level;
      return {
        cores: cores * level * jitter,
        memoryBytes: memoryAt(atMs, level),
        rxPerSecond: Math.round(traffic),
        txPerSecond: Math.round(traffic * (1.4 + 0.3 * noise(seed, 5, tick))),
        readPerSecond: Math.round(disk * (noise(seed, 6, tick) > 0.6 ? 1 : 0.05)),
        writePerSecond: Math.round(disk * (0.6 + 0.8 * noise(seed, 7, tick))),
      };
    },
  };
}
