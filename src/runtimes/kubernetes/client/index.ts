/** The client of the Kubernetes API: how a cluster is found, asked, listed and watched. */
export type { ClusterAccess } from "./access.ts";
export { findClusterAccess } from "./find-access.ts";
export type { ApiRefusal, KubernetesClient } from "./client.ts";
export { createKubernetesClient } from "./connection.ts";
export { type ApiResource, resourceName } from "./client.ts";
export { discoverResources } from "./discovery.ts";
export { type Reflector, type ReflectorChange, type ReflectorState, createReflector } from "./reflector.ts";
export { Election } from "./election.ts";
export { readItems } from "./list.ts";
