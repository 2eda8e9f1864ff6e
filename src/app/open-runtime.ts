import type { Config } from "../config/config.ts";
import type { Clock } from "../platform/clock.ts";
import { StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { detectRuntime } from "../runtimes/detect.ts";
import { isInCluster } from "../runtimes/in-cluster.ts";
import type { Runtime } from "../runtimes/runtime.ts";

export interface RuntimeParts {
  clock: Clock;
  log: Log;
  /** Of an agent: only one of those in a cluster watches it. */
  identity?: string | undefined;
}

/**
 * The runtime of this host, as the configuration says or as it is found: in a pod its cluster, else the engine. Throws a {@link StartError} for an address or
 * kubeconfig that can never work.
 */
export async function openRuntime(config: Config, parts: RuntimeParts): Promise<Runtime> {
  const { docker, runtime, cluster, hostProc } = config;
  const isFound = runtime === "auto" && docker.host === undefined && isInCluster(cluster.serviceHost);
  if (runtime === "kubernetes" || isFound) return openCluster(config, parts);
  return detectRuntime(
    {
      dockerHost: docker.host,
      certPath: docker.certPath,
      tlsVerify: docker.tlsVerify,
      xdgRuntimeDir: docker.runtimeDir,
      home: docker.home,
      hostProc,
      runtime: runtime === "auto" ? undefined : runtime,
    },
    parts.clock,
  );
}

/** Loaded where it is needed: few hosts have a cluster. */
async function openCluster(config: Config, parts: RuntimeParts): Promise<Runtime> {
  const { createKubernetesRuntime, findClusterAccess } = await import("../runtimes/kubernetes/index.ts");
  const { cluster, docker, kubeconfig, kubeContext, kubernetesNamespaces, kubernetesExcludeNamespaces } = config;
  const access = findClusterAccess({ ...cluster, kubeconfig, context: kubeContext, home: docker.home });
  if (access === undefined) throw new StartError(NO_CLUSTER);
  return createKubernetesRuntime({ access, namespaces: kubernetesNamespaces, excludeNamespaces: kubernetesExcludeNamespaces, ...parts });
}

const NO_CLUSTER =
  "--runtime kubernetes needs a cluster: run it in a pod with a service account, name a kubeconfig by SERVICE_KUBECONFIG or KUBECONFIG, or write ~/.kube/config.";
