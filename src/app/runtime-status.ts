import type { RuntimeStatus } from "../collector/containers.ts";
import type { RuntimeStatusRecord } from "./meta/api.ts";

/** The local runtime's state as it goes over the wire. */
export function runtimeStatusRecord(status: RuntimeStatus, watched: boolean): RuntimeStatusRecord {
  return {
    watched,
    runtime: status.runtime,
    connected: status.connected,
    version: status.version,
    api_version: status.apiVersion,
    error: status.error,
    since: status.since.toISOString(),
    address: status.address,
    capabilities: status.capabilities,
    missing: status.missing,
  };
}
