/** The forty containers of the demo, on two hosts. */
export interface DemoHost {
  /** null is the server's own. */
  agentId: string | null;
  hostname: string;
  os: string;
  engine: string;
  cpuCount: number;
  memoryBytes: number;
  diskBytes: number;
}

export interface DemoContainer {
  host: DemoHost;
  project: string;
  unit: string;
  name: string;
  image: string;
  /** What it uses on an average day. */
  cores: number;
  memoryMib: number;
  limitMib: number | null;
  trafficKbps: number;
  diskKbps: number;
  log: LogStyle;
  hasHealthCheck: boolean;
  fate: Fate;
  ports: readonly DemoPort[];
  networkMode: string;
  privileged: boolean;
  labels: Readonly<Record<string, string>>;
  /** Days since it was created from its image. */
  ageDays: number;
}

/** How it is today: well, in a crash loop, unhealthy since that began, a job that ended well, filling its memory, or leaking since yesterday. */
export type Fate = "well" | "crashing" | "unhealthy" | "completed" | "filling" | "leaking";
export type LogStyle = "access" | "app" | DatabaseLog | "worker" | "payments" | "checkout" | "backup" | "plain";

type DatabaseLog = "postgres" | "mariadb" | "clickhouse" | "redis" | "rabbitmq" | "java";

export interface DemoPort {
  containerPort: number;
  hostIp: string;
  hostPort: number;
}

const GIB = 1024 ** 3;

export const SHOP_HOST = {
  agentId: null,
  hostname: "shop-01",
  os: "Debian GNU/Linux 12 (bookworm)",
  engine: "29.0.1",
  cpuCount: 16,
  memoryBytes: 32 * GIB,
  diskBytes: 480 * GIB,
} as const satisfies DemoHost;
export const OFFICE_HOST = {
  agentId: "2d9f0c1e-5a47-4b0e-9c52-7e1b6a3f8d04",
  hostname: "office-01",
  os: "Ubuntu 24.04.3 LTS",
  engine: "28.5.2",
  cpuCount: 4,
  memoryBytes: 16 * GIB,
  diskBytes: 960 * GIB,
} as const satisfies DemoHost;
export const HOSTS: readonly DemoHost[] = [SHOP_HOST, OFFICE_HOST];

type Usage = readonly [cores: number, memoryMib: number, limitMib: number | null, trafficKbps: number, diskKbps: number];
type Extra = Partial<Pick<DemoContainer, "fate" | "ports" | "networkMode" | "privileged" | "labels" | "hasHealthCheck" | "ageDays">>;
type Row = readonly [unit: string, image: string, usage: Usage, log: LogStyle, extra?: Extra];

const OURS = "ghcr.io/harbour-shop";
const everywhere = (hostPort: number, containerPort = hostPort): DemoPort => ({ containerPort, hostIp: "0.0.0.0", hostPort });
const loopback = (hostPort: number, containerPort = hostPort): DemoPort => ({ containerPort, hostIp: "127.0.0.1", hostPort });
const checked = (target: string, more: Record<string, string> = {}): Record<string, string> => ({
  "service.endpoint.http": target,
  "service.endpoint.interval": "60s",
  ...more,
});
const CRITICAL = { "service.alert.severity": "critical", "service.alert.tags": "shop" };
const HEALTH = { hasHealthCheck: true };

const SHOP: readonly Row[] = [
  ["edge", "traefik:v3.5.1", [0.22, 96, 256, 900, 4], "access", { ports: [everywhere(80), everywhere(443)], ageDays: 26 }],
  [
    "storefront-1",
    `${OURS}/storefront:4.18.0`,
    [0.42, 310, 512, 420, 2],
    "access",
    { ...HEALTH, ageDays: 3, labels: checked("https://shop.harbour.example/") },
  ],
  ["storefront-2", `${OURS}/storefront:4.18.0`, [0.4, 302, 512, 410, 2], "access", { ...HEALTH, ageDays: 3 }],
  [
    "catalog",
    `${OURS}/catalog:3.9.2`,
    [0.31, 268, 512, 260, 3],
    "app",
    { ...HEALTH, ageDays: 12, labels: checked("https://api.harbour.example/catalog/health") },
  ],
  ["cart", `${OURS}/cart:2.7.0`, [0.12, 140, 256, 90, 1], "app", { ...HEALTH, ageDays: 19 }],
  [
    "checkout",
    `${OURS}/checkout:2.31.4`,
    [0.16, 196, 384, 70, 1],
    "checkout",
    { ...HEALTH, fate: "unhealthy", ageDays: 8, labels: { ...checked("https://api.harbour.example/checkout/health"), ...CRITICAL } },
  ],
  [
    "payments",
    `${OURS}/payments:2.15.0`,
    [0.11, 152, 256, 45, 1],
    "payments",
    {
      fate: "crashing",
      ageDays: 0,
      labels: {
        ...checked("https://api.harbour.example/payments/health"),
        ...CRITICAL,
        "service.runbook": "https://wiki.harbour.example/runbooks/payments",
      },
    },
  ],
  ["accounts", `${OURS}/accounts:1.22.1`, [0.14, 174, 384, 60, 1], "app", { ...HEALTH, ageDays: 33 }],
  [
    "search",
    "opensearchproject/opensearch:2.17.1",
    [0.55, 2650, 4096, 140, 60],
    "java",
    { ...HEALTH, ageDays: 58, labels: checked("https://api.harbour.example/search/health") },
  ],
  ["recommendations", `${OURS}/recommendations:0.14.3`, [0.36, 720, 2048, 55, 2], "app", { fate: "leaking", ageDays: 15 }],
  ["orders-worker", `${OURS}/orders-worker:2.31.4`, [0.24, 210, 384, 30, 5], "worker", { ageDays: 8 }],
  ["mail-worker", `${OURS}/mail-worker:1.8.0`, [0.05, 118, 256, 12, 1], "worker", { ageDays: 64 }],
  ["image-resizer", `${OURS}/image-resizer:1.3.1`, [0.33, 260, 512, 110, 25], "worker", { ageDays: 41 }],
  ["postgres", "postgres:16.4", [0.62, 5400, 8192, 240, 180], "postgres", { ...HEALTH, ageDays: 90, ports: [loopback(5432)] }],
  ["redis", "redis:7.2.5", [0.09, 420, 1024, 190, 6], "redis", { ...HEALTH, ageDays: 90, ports: [everywhere(6379)] }],
  ["rabbitmq", "rabbitmq:3.13.7-management", [0.17, 480, 1024, 75, 12], "rabbitmq", { ...HEALTH, ageDays: 90, ports: [loopback(15672)] }],
  ["migrate", `${OURS}/migrate:2.31.4`, [0.2, 90, 256, 5, 5], "plain", { fate: "completed", ageDays: 8 }],
];
const ANALYTICS: readonly Row[] = [
  ["clickhouse", "clickhouse/clickhouse-server:24.8.4", [0.9, 6100, 10_240, 160, 420], "clickhouse", { ...HEALTH, ageDays: 47 }],
  ["collector", "ghcr.io/harbour-shop/collector:1.5.0", [0.28, 190, 384, 210, 4], "app", { ageDays: 22 }],
  ["reports", "metabase/metabase:v0.51.4", [0.35, 1480, 2048, 22, 6], "java", { ageDays: 36, ports: [loopback(3001, 3000)] }],
  ["kafka", "apache/kafka:3.8.0", [0.48, 1900, 3072, 320, 150], "java", { ageDays: 47 }],
];
const SHOP_TOOLS: readonly Row[] = [
  ["node-exporter", "prom/node-exporter:v1.8.2", [0.02, 22, 64, 3, 1], "plain", { ageDays: 120, networkMode: "host" }],
  ["cadvisor", "gcr.io/cadvisor/cadvisor:v0.49.1", [0.18, 130, 256, 8, 2], "plain", { ageDays: 120, privileged: true }],
  ["restic", "restic/restic:0.17.1", [0.3, 210, 512, 300, 900], "backup", { fate: "completed", ageDays: 77 }],
];
const NEXTCLOUD: readonly Row[] = [
  [
    "nextcloud",
    "nextcloud:29.0.8",
    [0.26, 512, 1024, 130, 30],
    "access",
    { ...HEALTH, ageDays: 29, labels: checked("https://cloud.harbour.example/status.php") },
  ],
  ["mariadb", "mariadb:11.4.3", [0.15, 760, 1536, 60, 45], "mariadb", { ...HEALTH, ageDays: 61 }],
  ["cache", "redis:7.4.1", [0.03, 64, 256, 40, 1], "redis", { ageDays: 61 }],
  ["collabora", "collabora/code:24.04.8", [0.12, 610, 1024, 35, 2], "plain", { ageDays: 61 }],
];
const FORGE: readonly Row[] = [
  [
    "gitea",
    "gitea/gitea:1.22.3",
    [0.19, 330, 768, 85, 22],
    "access",
    { ...HEALTH, ageDays: 17, ports: [everywhere(2222, 22)], labels: checked("https://git.harbour.example/api/healthz") },
  ],
  ["gitea-db", "postgres:15.8", [0.11, 410, 1024, 40, 30], "postgres", { ageDays: 140 }],
  ["runner-1", "gitea/act_runner:0.2.11", [0.44, 380, 1024, 70, 60], "worker", { ageDays: 17, privileged: true }],
  ["runner-2", "gitea/act_runner:0.2.11", [0.38, 350, 1024, 64, 55], "worker", { ageDays: 17 }],
  ["registry", "registry:2.8.3", [0.06, 72, 256, 120, 40], "access", { ageDays: 140, ports: [loopback(5000)] }],
];
const OBSERVABILITY: readonly Row[] = [
  [
    "grafana",
    "grafana/grafana:11.2.2",
    [0.08, 180, 512, 20, 2],
    "app",
    { ...HEALTH, ageDays: 31, labels: checked("https://grafana.harbour.example/api/health") },
  ],
  ["prometheus", "prom/prometheus:v2.54.1", [0.25, 1250, 2048, 95, 40], "plain", { ageDays: 31 }],
  ["loki", "grafana/loki:3.2.1", [0.16, 540, 1024, 110, 35], "plain", { ageDays: 31 }],
];
const OFFICE: readonly Row[] = [
  [
    "wiki",
    "requarks/wiki:2.5.304",
    [0.07, 230, 512, 18, 3],
    "app",
    { ageDays: 84, labels: checked("https://wiki.harbour.example/healthz") },
  ],
  [
    "paperless",
    "ghcr.io/paperless-ngx/paperless-ngx:2.12.1",
    [0.31, 880, 1024, 15, 20],
    "worker",
    { ...HEALTH, fate: "filling", ageDays: 23 },
  ],
  [
    "vaultwarden",
    "vaultwarden/server:1.32.0",
    [0.02, 46, 128, 9, 1],
    "access",
    { ...HEALTH, ageDays: 52, labels: checked("https://vault.harbour.example/alive") },
  ],
  ["adguard", "adguard/adguardhome:v0.107.53", [0.06, 88, 256, 14, 1], "plain", { ageDays: 52, ports: [everywhere(53)] }],
];

/** What needs what, as Compose files say it: by project, the units that each unit needs. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  shop: {
    edge: ["storefront-1", "storefront-2"],
    "storefront-1": ["catalog", "cart", "checkout", "accounts"],
    "storefront-2": ["catalog", "cart", "checkout", "accounts"],
    catalog: ["postgres", "search"],
    cart: ["redis"],
    checkout: ["payments", "postgres", "rabbitmq"],
    payments: ["postgres"],
    accounts: ["postgres", "redis"],
    recommendations: ["search"],
    "orders-worker": ["rabbitmq", "postgres"],
    "mail-worker": ["rabbitmq"],
    "image-resizer": ["rabbitmq"],
    migrate: ["postgres"],
  },
  analytics: { collector: ["kafka"], clickhouse: ["kafka"], reports: ["clickhouse"] },
  nextcloud: { nextcloud: ["mariadb", "cache"], collabora: ["nextcloud"] },
  forge: { gitea: ["gitea-db"], "runner-1": ["gitea"], "runner-2": ["gitea"] },
  observability: { grafana: ["prometheus", "loki"] },
};

function dependsOn(project: string, unit: string): Record<string, string> {
  const needs = NEEDS[project]?.[unit] ?? [];
  return needs.length === 0 ? {} : { "com.docker.compose.depends_on": needs.map((needed) => `${needed}:service_started:false`).join(",") };
}

function containersOf(host: DemoHost, project: string, rows: readonly Row[]): DemoContainer[] {
  return rows.map(([unit, image, [cores, memoryMib, limitMib, trafficKbps, diskKbps], log, extra]) => ({
    ...{ host, project, unit, image, cores, memoryMib, limitMib, trafficKbps, diskKbps, log },
    name: unit.startsWith(project) ? unit : `${project}-${unit}`,
    hasHealthCheck: false,
    fate: "well",
    ports: [],
    networkMode: `${project}_default`,
    privileged: false,
    ageDays: 30,
    ...extra,
    labels: {
      "com.docker.compose.project": project,
      "com.docker.compose.service": unit,
      "com.docker.compose.project.working_dir": `/srv/${project}`,
      "com.docker.compose.project.config_files": `/srv/${project}/compose.yaml`,
      ...dependsOn(project, unit),
      ...extra?.labels,
    },
  }));
}

export const CONTAINERS: readonly DemoContainer[] = [
  ...containersOf(SHOP_HOST, "shop", SHOP),
  ...containersOf(SHOP_HOST, "analytics", ANALYTICS),
  ...containersOf(SHOP_HOST, "tools", SHOP_TOOLS),
  ...containersOf(OFFICE_HOST, "nextcloud", NEXTCLOUD),
  ...containersOf(OFFICE_HOST, "forge", FORGE),
  ...containersOf(OFFICE_HOST, "observability", OBSERVABILITY),
  ...containersOf(OFFICE_HOST, "office", OFFICE),
];
