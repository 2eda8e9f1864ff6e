/** The client of the Kubernetes API: how a cluster is found, asked, listed and watched. */
export type { ClusterAccess } from "./access.ts";
export { type ClusterEnvironment, findClusterAccess } from "./find-access.ts";
export type { ApiAnswer, ApiRefusal, KubernetesClient, ReadOptions, StreamOptions } from "./client.ts";
export { createKubernetesClient } from "./connection.ts";
export { type ApiResource, resourceName, resourcePath } from "./resource.ts";
export { type WantedKind, discoverResources } from "./discovery.ts";
export { type Reflector, type ReflectorChange, type ReflectorOptions, type ReflectorState, createReflector } from "./reflector.ts";
export { type LineSplitter, createLineSplitter } from "./lines.ts";
export { type Election, type ElectionOptions, createElection } from "./election.ts";
