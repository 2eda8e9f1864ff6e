import type { RuntimeStatus } from "../collector/containers.ts";
import type { Event } from "../events.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { RuntimeStatusRecord } from "./meta/api.ts";

/** The local runtime's state as it goes over the wire. */
export function runtimeStatusRecord(status: RuntimeStatus): RuntimeStatusRecord {
  return {
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

/** Tells everyone when the local runtime was reached or lost, or is lost for another reason. */
export function announceRuntime(bus: Bus<Event>, clock: Clock): (status: RuntimeStatus) => void {
  let told: string | undefined;
  return ({ runtime, connected, error }) => {
    if (told === `${connected} ${error}`) return;
    told = `${connected} ${error}`;
    bus.publish({
      type: "runtime.status_changed",
      data: { agent_id: null, runtime, connected, error, timestamp: clock.now().toISOString() },
    });
  };
}
