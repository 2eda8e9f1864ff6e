import type { LogSource } from "../monitoring/containers/index.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import type { RemoteHosts } from "./remote-hosts.ts";

/** Logs of containers: of this host from its runtime, of others through their agents. */
export function containerLogs(runtime: Pick<Runtime, "logs"> | undefined, remote: Pick<RemoteHosts, "logs">): LogSource {
  return {
    logs(agentId, externalId, options) {
      if (agentId !== null) return remote.logs(agentId, { externalId, ...options });
      if (runtime === undefined) throw new ServiceError("runtime_unavailable", "This server does not watch its own host.");
      return runtime.logs(externalId, options);
    },
  };
}
