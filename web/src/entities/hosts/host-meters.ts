import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { countOf } from "../../format/number.ts";
import { shareOf } from "./host-state.ts";

/** What a host has three of, as a bar each. */
export interface HostMeter {
  name: string;
  percent: number | null;
  /** `of 8 CPUs`, `5.02 of 7.63 GiB`; empty when nothing is known. */
  amount: string;
}

/** CPU, memory and disk of a host. */
export function hostMeters(host: HostRecord): [HostMeter, HostMeter, HostMeter] {
  return [
    { name: "CPU", percent: host.cpu_percent, amount: host.cpu_count === null ? "" : `of ${countOf(host.cpu_count, "CPU")}` },
    meterOf("Memory", host.memory_bytes, host.memory_total_bytes),
    meterOf("Disk", host.disk_bytes, host.disk_total_bytes),
  ];
}

function meterOf(name: string, bytes: number | null, totalBytes: number | null): HostMeter {
  return { name, percent: shareOf(bytes, totalBytes), amount: bytes === null || totalBytes === null ? "" : amountOf(bytes, totalBytes) };
}

/** The unit is shown once when it is the same. */
function amountOf(bytes: number, totalBytes: number): string {
  const [part = "", unit] = formatBytes(bytes).split(" ");
  const whole = formatBytes(totalBytes);
  return whole.endsWith(` ${unit}`) ? `${part} of ${whole}` : `${part} ${unit} of ${whole}`;
}
