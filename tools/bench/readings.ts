import { type ContainerReadings, type HostReading, READING_COLUMNS, type ReadingColumn, TICK_MS } from "../../src/observations.ts";

/**
 * What many containers use, as hosts live it: of twenty, twelve idle behind a health check, five serve moderately, two are busy, one works in
 * batches. The same for the same number of containers. An hour of each is drawn beforehand, and every hour a container lives another's.
 */
export interface MadeReadings {
  externalIds: readonly string[];
  at(tickMs: number): ContainerReadings;
  host(tickMs: number): HostReading;
}

const SLOTS = 360;
const PAGE = 4096;
const CLASSES = 20;
/** Of hundredths of a percent, pages, bytes, bytes, pages, pages a tick. */
const DRAWN = ["cpu", "memory", "rx", "tx", "read", "write"] as const;
type Drawn = Record<(typeof DRAWN)[number], Int32Array>;

export function makeReadings(count: number): MadeReadings {
  const drawn = draw(count);
  const externalIds = Array.from({ length: count }, (_, number) => (number + 1).toString(16).padStart(64, "0"));
  const counters = {
    rx: new Float64Array(count),
    tx: new Float64Array(count),
    read: new Float64Array(count),
    write: new Float64Array(count),
  };
  let dice = 12_345;

  return {
    externalIds,
    at(tickMs) {
      const hour = Math.floor(tickMs / (SLOTS * TICK_MS));
      const slot = (tickMs / TICK_MS) % SLOTS;
      const shift = CLASSES * ((hour * 7) % Math.max(1, count / CLASSES));
      // The entries are those of the type; fromEntries forgets which names it was given.
      const columns = Object.fromEntries(READING_COLUMNS.map((name) => [name, new Float64Array(count)])) as Record<
        ReadingColumn,
        Float64Array
      >;
      for (let place = 0; place < count; place += 1) {
        const row = ((place + shift) % count) * SLOTS + slot;
        const cpus = 1 + (place % 4);
        const percent = (drawn.cpu[row] ?? 0) / 100;
        columns.cpuPercent[place] = percent;
        columns.cpuCoresUsed[place] = (percent * cpus) / 100;
        columns.memoryBytes[place] = (drawn.memory[row] ?? 0) * PAGE;
        columns.memoryLimitBytes[place] = place % CLASSES < 12 ? 24 * 1024 ** 3 : 2 * 1024 ** 3;
        // Nobody is read after exactly ten seconds.
        dice = (Math.imul(dice, 1_103_515_245) + 12_345) >>> 0;
        const seconds = 10 + ((dice >>> 16) % 9) / 1000 - 0.004;
        const rx = drawn.rx[row] ?? 0;
        const tx = drawn.tx[row] ?? 0;
        const read = (drawn.read[row] ?? 0) * PAGE;
        const write = (drawn.write[row] ?? 0) * PAGE;
        columns.networkRxBytes[place] = counters.rx[place] = (counters.rx[place] ?? 0) + rx;
        columns.networkTxBytes[place] = counters.tx[place] = (counters.tx[place] ?? 0) + tx;
        columns.diskReadBytes[place] = counters.read[place] = (counters.read[place] ?? 0) + read;
        columns.diskWriteBytes[place] = counters.write[place] = (counters.write[place] ?? 0) + write;
        columns.networkRxBytesPerSecond[place] = rx / seconds;
        columns.networkTxBytesPerSecond[place] = tx / seconds;
        columns.diskReadBytesPerSecond[place] = read / seconds;
        columns.diskWriteBytesPerSecond[place] = write / seconds;
      }
      return { externalIds, columns };
    },
    host: (tickMs) => ({
      hostname: "bench",
      os: "none",
      cpuCount: 64,
      cpuPercent: 30 + 10 * Math.sin(tickMs / 3_600_000),
      memoryBytes: 12 * 1024 ** 3,
      memoryTotalBytes: 24 * 1024 ** 3,
      diskBytes: 100 * 1024 ** 3,
      diskTotalBytes: 500 * 1024 ** 3,
      load: [3, 3, 3],
      uptimeSeconds: Math.floor(tickMs / 1000),
    }),
  };
}

function draw(count: number): Drawn {
  // The entries are those of the type.
  const drawn = Object.fromEntries(DRAWN.map((name) => [name, new Int32Array(count * SLOTS)])) as Drawn;
  for (let place = 0; place < count; place += 1) drawContainer(drawn, place);
  return drawn;
}

function drawContainer(drawn: Drawn, place: number): void {
  const { random, normal } = chance(place + 1);
  const kind = place % CLASSES;
  let pages = 5000 + Math.floor(random() * 60_000);
  let load = kind < 17 ? 6 : 60;
  const atLeast = (least: number, value: number): number => Math.max(least, Math.round(value));
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const put = (values: Record<keyof Drawn, number>): void => {
      for (const name of DRAWN) drawn[name][place * SLOTS + slot] = values[name];
    };
    if (kind < 12) {
      if (random() < 0.05) pages = atLeast(1000, pages + 3 * normal());
      const checked = slot % 3 === 0;
      put({
        cpu: atLeast(0, 8 + 4 * normal()),
        memory: pages,
        rx: checked ? atLeast(0, 1800 + 30 * normal()) : 0,
        tx: checked ? atLeast(0, 950 + 30 * normal()) : 0,
        read: 0,
        write: random() < 0.03 ? Math.round(random() * 40) : 0,
      });
    } else if (kind < 17) {
      load = 0.95 * load + 0.05 * (6 + 2 * Math.sin(slot / 60)) + 0.3 * normal();
      pages = atLeast(1000, pages + 6 * normal());
      const traffic = Math.max(0, load * 15_000 * (1 + 0.15 * normal()));
      put({
        cpu: atLeast(0, 100 * (load + 0.5 * normal())),
        memory: pages,
        rx: Math.round(traffic),
        tx: atLeast(0, traffic * 6.3 * (1 + 0.05 * normal())),
        read: 0,
        write: atLeast(0, 4 + 2 * normal()),
      });
    } else if (kind < 19) {
      load = 0.9 * load + 6 + 4 * normal();
      pages = atLeast(1000, pages + 200 * normal());
      const traffic = Math.max(0, load * 80_000 * (1 + 0.2 * normal()));
      put({
        cpu: Math.min(10_000, atLeast(0, 100 * load + 300 * normal())),
        memory: pages,
        rx: Math.round(traffic),
        tx: atLeast(0, traffic * 3 * (1 + 0.1 * normal())),
        read: atLeast(0, 200 + 90 * normal()),
        write: atLeast(0, 900 + 300 * normal()),
      });
    } else {
      const works = slot % 90 < 12;
      const some = (most: number): number => (works ? Math.round(most * random()) : 0);
      put({
        cpu: works ? Math.min(10_000, atLeast(0, 9000 + 500 * normal())) : Math.round(3 * random()),
        memory: pages + (works ? 5000 + Math.round(1000 * random()) : 0),
        rx: some(500_000),
        tx: some(200_000),
        read: some(3000),
        write: some(2000),
      });
    }
  }
}

/** Uniform numbers from 0 to 1, and normal ones; the same for the same seed. */
function chance(seed: number): { random(): number; normal(): number } {
  let state = seed;
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return { random, normal: () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random()) };
}
