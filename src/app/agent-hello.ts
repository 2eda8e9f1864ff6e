import { arch, hostname, release, type } from "node:os";
import type { RuntimeStatus } from "../collector/containers.ts";
import type { AgentHello } from "../fleet/seams.ts";

/** What an agent of this build can do. */
const CAPABILITIES = ["logs", "endpoints", "certificates", "resources"];

/** What an agent reports of itself and its host. The runtime knows the host from inside a container too, where the system sees the container. */
export function agentHello(status: Pick<RuntimeStatus, "runtime" | "hostname" | "operatingSystem">, version: string): AgentHello {
  return {
    version,
    hostname: status.hostname || hostname(),
    os: status.operatingSystem || `${type()} ${release()}`,
    arch: arch(),
    runtime: status.runtime,
    capabilities: CAPABILITIES,
  };
}
