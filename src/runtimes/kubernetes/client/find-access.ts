import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readBoundedFile } from "../../../platform/files.ts";
import { StartError, messageOf } from "../../../platform/errors.ts";
import { SERVICE_ACCOUNT_FOLDER } from "../../in-cluster.ts";
import { type ClusterAccess, NO_IDENTITY } from "./access.ts";
import { type KubeconfigFile, accessOfContext, parseKubeconfig } from "./kubeconfig.ts";

/** The parts of the environment that say where a cluster is. */
export interface ClusterEnvironment {
  /** KUBERNETES_SERVICE_HOST and _PORT, as every pod has them. */
  serviceHost?: string | undefined;
  servicePort?: string | undefined;
  /** SERVICE_KUBECONFIG: one file. */
  kubeconfig?: string | undefined;
  /** SERVICE_KUBE_CONTEXT; absent: the current one of the file. */
  context?: string | undefined;
  /** KUBECONFIG: a list of files, as kubectl takes it. */
  kubeconfigList?: string | undefined;
  home?: string | undefined;
  /** What programs that a kubeconfig names get of this process's environment: all but our own variables. */
  variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where the files of the service account are; absent: where Kubernetes mounts them. */
  serviceAccountFolder?: string | undefined;
}

const MAX_KUBECONFIG_BYTES = 4 * 1024 * 1024;
const MAX_KUBECONFIG_FILES = 32;

/**
 * The cluster that this process may reach: the kubeconfig that was asked for, else the cluster whose pod it is in, else kubectl's kubeconfig.
 * Undefined where there is none. Throws a {@link StartError} for a kubeconfig that can never work.
 */
export function findClusterAccess(environment: ClusterEnvironment): ClusterAccess | undefined {
  const { kubeconfig, context, kubeconfigList, home, variables } = environment;
  if (isSet(kubeconfig)) return accessOfFiles([kubeconfig], { context, variables });
  const inCluster = serviceAccountAccess(environment);
  if (inCluster !== undefined) return inCluster;
  const paths = isSet(kubeconfigList) ? kubeconfigList.split(delimiter).filter(Boolean) : isSet(home) ? [join(home, ".kube/config")] : [];
  if (paths.length > MAX_KUBECONFIG_FILES) throw new StartError(`KUBECONFIG names more than ${MAX_KUBECONFIG_FILES} files. Name fewer.`);
  // As with kubectl, files of the list that are not there are left out.
  const files = paths.filter((path) => existsSync(path));
  return files.length === 0 ? undefined : accessOfFiles(files, { context, variables });
}

function accessOfFiles(paths: readonly string[], options: Parameters<typeof accessOfContext>[1]): ClusterAccess {
  const read = (): ClusterAccess => accessOfContext(paths.map(readKubeconfig), options);
  return { ...read(), renewed: () => read().identity };
}

/** What every pod has that mounts the token of its service account. */
function serviceAccountAccess(environment: ClusterEnvironment): ClusterAccess | undefined {
  const { serviceHost: host, servicePort, serviceAccountFolder: folder = SERVICE_ACCOUNT_FOLDER } = environment;
  const port = Number(isSet(servicePort) ? servicePort : 443);
  if (!isSet(host) || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const file = (name: string): string => join(folder, name);
  if (!existsSync(file("token"))) return undefined;
  return {
    address: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    origin: "the service account of this pod",
    host,
    port,
    isTls: true,
    basePath: "",
    namespace: readName(file("namespace")),
    authority: existsSync(file("ca.crt")) ? { kind: "file", path: file("ca.crt") } : null,
    isVerified: true,
    serverName: null,
    identity: { ...NO_IDENTITY, token: { kind: "file", path: file("token") } },
  };
}

function readName(path: string): string | null {
  if (!existsSync(path)) return null;
  return readBoundedFile(path, 1024).trim() || null;
}

function readKubeconfig(path: string): KubeconfigFile {
  try {
    if (statSync(path).isDirectory()) throw new Error("it is a folder");
    return parseKubeconfig(path, readBoundedFile(path, MAX_KUBECONFIG_BYTES));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The kubeconfig ${path} cannot be read: ${messageOf(error)}. Correct the path, or make the file readable.`, {
      cause: error,
    });
  }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
