import { READING_COLUMNS, type ContainerReadings, type HostReading, type Observation, type ReadingColumn } from "../../src/observations.ts";

/** What a container uses; what the test leaves out cannot be read. */
export type Reading = Partial<Record<ReadingColumn, number>>;

/** Readings by columns, of containers by their external ids. */
export function readings(byContainer: Readonly<Record<string, Reading>>): ContainerReadings {
  const all = Object.values(byContainer);
  return {
    externalIds: Object.keys(byContainer),
    columns: Object.fromEntries(
      READING_COLUMNS.map((name) => [name, Float64Array.from(all, (reading) => reading[name] ?? Number.NaN)]),
      // One entry for each name is all that the type asks for.
    ) as Record<ReadingColumn, Float64Array>,
  };
}

export function sampled(observedAt: Date, byContainer: Readonly<Record<string, Reading>>): Observation {
  return { kind: "resources.sampled", observedAt, readings: readings(byContainer) };
}

/** A host with two CPUs, but for what the test says. */
export function hostReading(facts: Partial<HostReading> = {}): HostReading {
  return {
    hostname: "harbour",
    os: "Debian 13",
    cpuCount: 2,
    cpuPercent: 12.345,
    memoryBytes: 1_000_000_000,
    memoryTotalBytes: 4_000_000_000,
    diskBytes: 10_000_000_000,
    diskTotalBytes: 40_000_000_000,
    load: [0.5, 0.25, 0.125],
    uptimeSeconds: 3600,
    ...facts,
  };
}
