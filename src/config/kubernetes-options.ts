/** The options of a cluster of Kubernetes, as part of the table in options.ts. Source: contract, section 15. */
import { list, namespace, path, text, type Option } from "./value-types.ts";

/** Those that every cluster has for itself. */
const SYSTEM_NAMESPACES = "kube-system,kube-public,kube-node-lease";

export const KUBERNETES_OPTIONS = {
  kubeconfig: {
    flag: "--kubeconfig",
    env: "KUBECONFIG",
    type: path,
    otherwise: "the service account of the pod it runs in, else KUBECONFIG, else ~/.kube/config",
    help: "Kubernetes: the kubeconfig file to reach the cluster by.",
  },
  kubeContext: {
    flag: "--kube-context",
    env: "KUBE_CONTEXT",
    type: text,
    otherwise: "the current context of the kubeconfig",
    help: "Kubernetes: the context of the kubeconfig.",
  },
  kubernetesNamespaces: {
    flag: "--k8s-namespaces",
    env: "K8S_NAMESPACES",
    type: list(namespace),
    default: "",
    help: "Kubernetes: watch these namespaces only; empty watches all.",
  },
  kubernetesExcludeNamespaces: {
    flag: "--k8s-exclude-namespaces",
    env: "K8S_EXCLUDE_NAMESPACES",
    type: list(namespace),
    default: SYSTEM_NAMESPACES,
    help: "Kubernetes: namespaces that are not watched, unless SERVICE_K8S_NAMESPACES names any.",
  },
} as const satisfies Record<string, Option>;
