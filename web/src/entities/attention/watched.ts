import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";

/** Everything that is watched on the chosen host, or on all. */
export interface Watched {
  groups: ContainerList["groups"];
  containers: readonly ContainerRecord[];
  endpoints: readonly EndpointRecord[];
  heartbeats: readonly HeartbeatRecord[];
  certificates: readonly CertificateRecord[];
}

export const NOTHING: Watched = { groups: [], containers: [], endpoints: [], heartbeats: [], certificates: [] };

/** Whether there is nothing at all. */
export function isEmpty({ containers, endpoints, heartbeats, certificates }: Watched): boolean {
  return containers.length + endpoints.length + heartbeats.length + certificates.length === 0;
}
