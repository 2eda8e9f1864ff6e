/** The plain manifests of deploy/kubernetes/, made from the chart for those who do not use Helm. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { helm } from "./on-demand.ts";

const ROOT = join(import.meta.dirname, "..");
export const CHART = join(ROOT, "deploy/helm/binnacle");

interface Manifest {
  path: string;
  namespace: "binnacle" | "binnacle-agent";
  /** What must be there before, as commands. */
  before: string;
  /** Values of the chart. */
  values: object;
}

const ADMIN_TOKEN = "--from-literal=admin-token=$(openssl rand -hex 24)";
const SECRET = { existingSecret: "binnacle" };

const MANIFESTS: readonly Manifest[] = [
  {
    path: "deploy/kubernetes/server.yaml",
    namespace: "binnacle",
    before: `Watches this cluster, with the built-in database on a volume:
  kubectl create namespace binnacle
  kubectl -n binnacle create secret generic binnacle ${ADMIN_TOKEN}
  kubectl apply -f deploy/kubernetes/server.yaml`,
    values: { server: { adminToken: SECRET } },
  },
  {
    path: "deploy/kubernetes/server-postgresql.yaml",
    namespace: "binnacle",
    before: `Watches this cluster, with a PostgreSQL database of yours and without a volume:
  kubectl create namespace binnacle
  kubectl -n binnacle create secret generic binnacle ${ADMIN_TOKEN} \\
    --from-literal=secret-key=$(openssl rand -base64 32) --from-literal=url=postgres://binnacle:PASSWORD@db.example.org/binnacle
  kubectl apply -f deploy/kubernetes/server-postgresql.yaml`,
    values: {
      server: { adminToken: SECRET, secretKey: SECRET },
      database: { kind: "postgresql", postgresql: SECRET },
      persistence: { enabled: false },
    },
  },
  {
    path: "deploy/kubernetes/server-with-agents.yaml",
    namespace: "binnacle",
    before: `Watches this cluster and takes agents of others, on a load balancer. Set SERVICE_GRPC_URL below to its address:
  kubectl create namespace binnacle
  kubectl -n binnacle create secret generic binnacle ${ADMIN_TOKEN} --from-file=license-key=licence.txt
  kubectl -n binnacle create secret tls binnacle-agents --cert=agents.crt --key=agents.key
  kubectl apply -f deploy/kubernetes/server-with-agents.yaml`,
    values: {
      server: {
        mode: "server",
        adminToken: SECRET,
        license: SECRET,
        agents: { url: "grpcs://binnacle.example.org:8443", tlsSecret: "binnacle-agents", service: { type: "LoadBalancer" } },
      },
    },
  },
  {
    path: "deploy/kubernetes/agent.yaml",
    namespace: "binnacle-agent",
    before: `Sends what it sees of this cluster to a server elsewhere. Set SERVICE_SERVER below to its address; the page Hosts there makes the token:
  kubectl create namespace binnacle-agent
  kubectl -n binnacle-agent create secret generic enrollment --from-literal=token=TOKEN
  kubectl apply -f deploy/kubernetes/agent.yaml`,
    values: {
      server: { enabled: false },
      agent: { enabled: true, server: "grpcs://binnacle.example.org:8443", enrollmentToken: { existingSecret: "enrollment" } },
    },
  },
];

/** What is written into deploy/kubernetes/. */
export const KUBERNETES_MANIFESTS: readonly { path: string; content: () => string }[] = MANIFESTS.map(
  ({ path, namespace, before, values }) => ({
    path,
    content: () => `# Made from deploy/helm/binnacle by \`npm run generate\`; change it there. See docs/kubernetes.md.
#
${`${before}\nThe image is in no public registry: build it, push it to yours, and name it below.`.replace(/^/gm, "# ")}
${namespaceNamed(namespace)}${withoutHelm(renderChart(values, { namespace }))}`,
  }),
);

/** The chart with these values, as Helm renders it. Throws what Helm says against them. */
export function renderChart(values: object, { namespace = "binnacle" }: { namespace?: string } = {}): string {
  const tool = helm();
  tool.install();
  return execFileSync(join(tool.commands, "helm"), ["template", "binnacle", CHART, "--namespace", namespace, "--values", "-"], {
    input: JSON.stringify(values),
    encoding: "utf8",
    stdio: "pipe",
  });
}

/** Nothing of ours needs more than the strictest of the pod security standards allows. */
function namespaceNamed(name: string): string {
  return `---
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels:
    pod-security.kubernetes.io/enforce: restricted
`;
}

/** Without what is for Helm alone. */
function withoutHelm(manifests: string): string {
  return manifests
    .replace(/^# Source: .*\n/gm, "")
    .replace(/^ +(helm\.sh\/chart|app\.kubernetes\.io\/managed-by): .*\n/gm, "")
    .replace(/^ +annotations:\n +helm\.sh\/resource-policy: keep\n/gm, "");
}
