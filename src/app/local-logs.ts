import { ServiceError } from "../platform/errors.ts";
import type { LogSource } from "../monitoring/containers/index.ts";
import type { Runtime } from "../runtimes/runtime.ts";

/** Logs of this host's containers, from its runtime. */
export function localLogs(runtime: Runtime): LogSource {
  return {
    logs(agentId, externalId, options) {
      if (agentId !== null) throw new ServiceError("not_found", "The log of a container on another host cannot be read from here.");
      return runtime.logs(externalId, options);
    },
  };
}
