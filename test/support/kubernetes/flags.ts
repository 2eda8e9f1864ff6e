import { join } from "node:path";

/** Where the parts of a cluster are: a folder, ports on loopback, and the files of createTrust. */
export interface ClusterPlace {
  folder: string;
  /** Of the API server. */
  port: number;
  etcdPort: number;
  etcdPeerPort: number;
  accounts: boolean;
}

export function etcdFlags({ folder, etcdPort, etcdPeerPort }: ClusterPlace): string[] {
  const [own, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${etcdPeerPort}`];
  return [
    `--data-dir=${join(folder, "etcd")}`,
    ...[`--listen-client-urls=${own}`, `--advertise-client-urls=${own}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
  ];
}

export function apiServerFlags({ folder, port, etcdPort, accounts }: ClusterPlace): string[] {
  const file = (name: string): string => join(folder, name);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    ...[`--secure-port=${port}`, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--insecure-port=0"],
    ...[`--tls-cert-file=${file("server.pem")}`, `--tls-private-key-file=${file("server.key")}`, `--client-ca-file=${file("ca.pem")}`],
    ...[`--service-account-key-file=${file("accounts.pub")}`, `--service-account-signing-key-file=${file("accounts.key")}`],
    ...["--service-account-issuer=https://kubernetes.default.svc", `--token-auth-file=${file("tokens.csv")}`],
    ...["--authorization-mode=Node,RBAC", "--allow-privileged=true", "--service-cluster-ip-range=10.96.0.0/16"],
    ...["--kubelet-preferred-address-types=InternalIP", "--kubelet-certificate-authority="],
    // Pods need neither a service account nor a token of it, unless that is what is tested.
    ...(accounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
    // Without it the last requests of a stopping API server are waited for a minute.
    "--shutdown-delay-duration=0s",
  ];
}

/** Nodes that fall silent are noticed within seconds. */
export function controllerFlags({ folder }: ClusterPlace): string[] {
  const file = (name: string): string => join(folder, name);
  return [
    ...[`--kubeconfig=${file("admin.kubeconfig")}`, "--leader-elect=false", "--bind-address=127.0.0.1", "--port=0", "--secure-port=0"],
    ...[`--service-account-private-key-file=${file("accounts.key")}`, `--root-ca-file=${file("ca.pem")}`],
    ...["--node-monitor-period=1s", "--node-monitor-grace-period=6s", "--pod-eviction-timeout=5s"],
    ...[
      "--kube-api-qps=200",
      "--kube-api-burst=400",
      "--controllers=*,-bootstrapsigner,-tokencleaner,-nodeipam,-route,-service,-cloud-node-lifecycle",
    ],
  ];
}

export function schedulerFlags({ folder }: ClusterPlace): string[] {
  return [
    ...[
      `--kubeconfig=${join(folder, "admin.kubeconfig")}`,
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      "--port=0",
      "--secure-port=0",
    ],
    ...["--kube-api-qps=200", "--kube-api-burst=400"],
  ];
}
