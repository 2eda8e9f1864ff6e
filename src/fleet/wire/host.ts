import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HostReading } from "../../observations.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_NAME, MAX_NUMBER } from "./limits.ts";
import { nameOf, optionalName, within } from "./values.ts";
import { WireError } from "./wire-error.ts";

const NUMBERS = ["cpuPercent", "memoryBytes", "memoryTotalBytes", "diskBytes", "diskTotalBytes", "uptimeSeconds"] as const;

export function toHost(host: HostReading): MessageInitShape<typeof wire.HostSampledSchema> {
  const sent: MessageInitShape<typeof wire.HostSampledSchema> = {
    hostname: host.hostname,
    os: host.os ?? undefined,
    cpuCount: host.cpuCount,
    load: host.load ?? [],
  };
  for (const name of NUMBERS) sent[name] = host[name] ?? undefined;
  return sent;
}

export function fromHost(sent: wire.HostSampled, where: string): HostReading {
  const numberAt = (name: (typeof NUMBERS)[number]): number | null => {
    const value = sent[name];
    return value === undefined ? null : within(value, `${where}.${name}`, [0, MAX_NUMBER]);
  };
  return {
    hostname: nameOf(sent.hostname, `${where}.hostname`, MAX_NAME),
    os: optionalName(sent.os, `${where}.os`, MAX_NAME),
    cpuCount: sent.cpuCount,
    cpuPercent: numberAt("cpuPercent"),
    memoryBytes: numberAt("memoryBytes"),
    memoryTotalBytes: numberAt("memoryTotalBytes"),
    diskBytes: numberAt("diskBytes"),
    diskTotalBytes: numberAt("diskTotalBytes"),
    load: fromLoad(sent.load, `${where}.load`),
    uptimeSeconds: numberAt("uptimeSeconds"),
  };
}

function fromLoad(load: readonly number[], where: string): HostReading["load"] {
  if (load.length === 0) return null;
  const [one, five, fifteen, more] = load;
  if (one === undefined || five === undefined || fifteen === undefined || more !== undefined)
    throw new WireError(where, "is not three numbers");
  const number = (value: number): number => within(value, where, [0, MAX_NUMBER]);
  return [number(one), number(five), number(fifteen)];
}
