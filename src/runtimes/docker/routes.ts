import { ServiceError } from "../../platform/errors.ts";

const MIB = 1024 * 1024;

/**
 * Every route that is ever asked, all of them GET: what is not in this table cannot be reached through the client. `libpod` is Podman's own API.
 * `{id}` takes a container id or name, `{image}` an image id. Unversioned routes are those that answer before a version is agreed on.
 */
export const ENGINE_ROUTES = {
  ping: { path: "/_ping", versioned: false, maxBytes: 1024, timeoutMs: 4_500 },
  version: { path: "/version", versioned: false, maxBytes: MIB, timeoutMs: 4_500 },
  /** A manager without a quorum takes 20 seconds for it, as for services, tasks and nodes. */
  info: { path: "/info", versioned: true, maxBytes: 4 * MIB, timeoutMs: 30_000 },
  containers: { path: "/containers/json", versioned: true, maxBytes: 64 * MIB, timeoutMs: 30_000 },
  container: { path: "/containers/{id}/json", versioned: true, maxBytes: 4 * MIB, timeoutMs: 30_000 },
  /** The same, where others wait for the answer. */
  listedContainer: { path: "/containers/{id}/json", versioned: true, maxBytes: 4 * MIB, timeoutMs: 10_000 },
  logs: { path: "/containers/{id}/logs", versioned: true, maxBytes: MIB, timeoutMs: 30_000 },
  stats: { path: "/containers/{id}/stats", versioned: true, maxBytes: MIB, timeoutMs: 15_000 },
  podmanContainer: { path: "/v4.0.0/libpod/containers/{id}/json", versioned: false, maxBytes: 4 * MIB, timeoutMs: 30_000 },
  podmanPod: { path: "/v4.0.0/libpod/pods/{id}/json", versioned: false, maxBytes: 4 * MIB, timeoutMs: 15_000 },
  image: { path: "/images/{image}/json", versioned: true, maxBytes: 4 * MIB, timeoutMs: 15_000 },
  services: { path: "/services", versioned: true, maxBytes: 64 * MIB, timeoutMs: 25_000 },
  tasks: { path: "/tasks", versioned: true, maxBytes: 128 * MIB, timeoutMs: 25_000 },
  /** Asked first, and not waited for: managers wait 20 seconds for a leader that is gone, and may have another one long before. */
  nodes: { path: "/nodes", versioned: true, maxBytes: 16 * MIB, timeoutMs: 4_000 },
  /** The same, waited for: only the engine's own words say that there is no leader, and a large swarm may take its time. */
  nodesAtLeisure: { path: "/nodes", versioned: true, maxBytes: 16 * MIB, timeoutMs: 25_000 },
  events: { path: "/events", versioned: true, maxBytes: MIB, timeoutMs: 15_000 },
} as const satisfies Record<string, { path: string; versioned: boolean; maxBytes: number; timeoutMs: number }>;

export type EngineRoute = keyof typeof ENGINE_ROUTES;

export interface EngineRequest {
  route: EngineRoute;
  /** What stands for `{id}` or `{image}`. */
  id?: string;
  query?: Record<string, string>;
}

const CONTAINER_ID = /^[0-9a-f]{12,64}$/;
const CONTAINER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/;
const IMAGE_ID = /^(?:sha256:)?[0-9a-f]{64}$/;

/** The path and query of a request. Throws `invalid_request` for an identifier that could mean anything but itself. */
export function enginePath({ route, id, query = {} }: EngineRequest, apiVersion: string | undefined): string {
  const { path, versioned } = ENGINE_ROUTES[route];
  const filled = path
    .replace("{id}", () => encodeURIComponent(checkedId(id, "container", CONTAINER_ID, CONTAINER_NAME)))
    .replace("{image}", () => encodeURIComponent(checkedId(id, "image", IMAGE_ID)));
  const search = new URLSearchParams(query).toString();
  return `${versioned && apiVersion !== undefined ? `/v${apiVersion}` : ""}${filled}${search === "" ? "" : `?${search}`}`;
}

function checkedId(id: string | undefined, what: string, ...patterns: RegExp[]): string {
  if (id !== undefined && patterns.some((pattern) => pattern.test(id))) return id;
  throw new ServiceError("invalid_request", `"${(id ?? "").slice(0, 80)}" is not a valid ${what} identifier.`);
}
