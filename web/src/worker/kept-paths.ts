/** What the overview and the lists read first. Nothing here holds a secret, a log line or a setting. */
export const KEPT_PATHS: readonly string[] = [
  "/api/v1/agents",
  "/api/v1/alerts/active",
  "/api/v1/certificates",
  "/api/v1/containers",
  "/api/v1/dashboard/sparklines",
  "/api/v1/edition",
  "/api/v1/endpoints",
  "/api/v1/health",
  "/api/v1/heartbeats",
  "/api/v1/resources/hosts",
  "/api/v1/resources/sparklines",
  "/api/v1/runtime/status",
];

/** Whether the answer at an address is kept: the lists without filters, page by page. */
export function isKept({ pathname, searchParams }: URL): boolean {
  return KEPT_PATHS.includes(pathname) && [...searchParams.keys()].every((key) => key === "cursor");
}

/** An answer without the fields that allow a change: whoever knows a heartbeat's address can ping it. */
export function withoutCredentials(body: string): string {
  return JSON.stringify(JSON.parse(body, (key, value: unknown) => (key === "ping_url" ? "" : key === "uuid" ? NO_UUID : value)));
}

const NO_UUID = "00000000-0000-0000-0000-000000000000";
