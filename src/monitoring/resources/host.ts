import type { HostData } from "../../events.ts";
import type { HostReading, RuntimeKind } from "../../observations.ts";
import { percent, whole } from "./snapshot.ts";

/** The last that a host said of itself. */
export interface HostSample {
  reading: HostReading;
  at: Date;
  /** Said lately enough to hold. */
  available: boolean;
}

/** A host as it goes over the wire; one that was never sampled has nothing but its containers. */
export function hostRecord(
  agentId: string | null,
  sample: HostSample | undefined,
  { label, running, runtime }: { label?: string | undefined; running: number; runtime: RuntimeKind | null },
): HostData {
  const reading = sample?.reading;
  return {
    agent_id: agentId,
    label: label || reading?.hostname || (agentId ?? "local"),
    hostname: reading?.hostname || null,
    os: reading?.os ?? null,
    runtime,
    cpu_percent: percent(reading?.cpuPercent),
    cpu_count: reading?.cpuCount ?? null,
    memory_bytes: whole(reading?.memoryBytes),
    memory_total_bytes: whole(reading?.memoryTotalBytes),
    disk_bytes: whole(reading?.diskBytes),
    disk_total_bytes: whole(reading?.diskTotalBytes),
    load: reading?.load ?? null,
    uptime_seconds: reading?.uptimeSeconds ?? null,
    running_containers: running,
    available: sample?.available ?? false,
    timestamp: sample?.at.toISOString() ?? null,
  };
}
