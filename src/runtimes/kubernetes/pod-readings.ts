import type { ResourceAmounts } from "../../observations/kubernetes-object.ts";
import { parseJson } from "../json.ts";
import { parseQuantity } from "./objects/values.ts";

/**
 * A PodMetrics of metrics.k8s.io, of which each member may be anything. It is no schema: what one makes beside an answer of thousands of pods every few
 * seconds is several times as large, and holds everything up while it is collected.
 */
type PodMetrics = {
  metadata?: { name?: unknown; namespace?: unknown } | null;
  containers?: unknown;
} | null;
type ContainerMetrics = { usage?: { cpu?: unknown; memory?: unknown } | null } | null;

interface Reading extends ResourceAmounts {
  /** The number of the reading that it is of. */
  number: number;
}

/** What pods use by the metrics API; the records of one reading are used again for the next. */
export interface PodReadings {
  begin(): void;
  /** A record that cannot be parsed leaves a gap only for its pod. */
  add(json: string | null): void;
  /** What was added since the beginning, by `namespace/name`; as it is until the next reading begins. */
  finish(): ReadonlyMap<string, ResourceAmounts>;
}

export function createPodReadings(): PodReadings {
  const readings = new Map<string, Reading>();
  let number = 0;

  return {
    begin() {
      number += 1;
    },
    add(json) {
      const pod = parseJson(json ?? "") as PodMetrics | undefined;
      const { name, namespace } = pod?.metadata ?? {};
      if (typeof name !== "string" || typeof namespace !== "string") return;
      const key = `${namespace}/${name}`;
      let reading = readings.get(key);
      if (reading === undefined) {
        reading = { number, cpuCores: null, memoryBytes: null };
        readings.set(key, reading);
      }
      reading.number = number;
      reading.cpuCores = null;
      reading.memoryBytes = null;
      if (Array.isArray(pod?.containers))
        for (const each of pod.containers as ContainerMetrics[])
          addTo(reading, { cpuCores: parseQuantity(each?.usage?.cpu), memoryBytes: parseQuantity(each?.usage?.memory) });
    },
    finish() {
      for (const [pod, reading] of readings) if (reading.number !== number) readings.delete(pod);
      return readings;
    },
  };
}

/** null where none of them is known. */
export function total(amounts: readonly ResourceAmounts[]): ResourceAmounts {
  const sum: ResourceAmounts = { cpuCores: null, memoryBytes: null };
  for (const each of amounts) addTo(sum, each);
  return sum;
}

/** An amount stays null where none of its parts is known. */
function addTo(sum: ResourceAmounts, { cpuCores, memoryBytes }: ResourceAmounts): void {
  if (cpuCores !== null) sum.cpuCores = (sum.cpuCores ?? 0) + cpuCores;
  if (memoryBytes !== null) sum.memoryBytes = (sum.memoryBytes ?? 0) + memoryBytes;
}
