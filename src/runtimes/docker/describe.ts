import { hostname } from "node:os";
import type { z } from "zod";
import type { RuntimeDescription } from "../runtime.ts";
import type { EngineClient } from "./client.ts";
import { unavailable } from "./failures.ts";
import type { Capacity } from "./limits.ts";
import { ENGINE_ROUTES, type EngineRequest } from "./routes.ts";
import { infoAnswer, versionAnswer } from "./schemas.ts";
import { standingOf, SWARM_ROUTES } from "./swarm.ts";

/** No container has this id, so an engine answers 404 where a proxy that denies the route answers 403. */
const NOBODY = "000000000000";

/** No image has this id. */
const NO_IMAGE = `sha256:${"0".repeat(64)}`;

type PermissionName = "containers" | "events" | "logs" | "stats" | "images" | "info";

const DENIED_STATUSES = [401, 403, 405];

/** What is asked of an engine and may be denied: what is lost without it, and what a socket proxy calls it. */
const PERMISSIONS: readonly { name: PermissionName; request: EngineRequest; lost: string; setting: string }[] = [
  {
    name: "containers",
    request: { route: "containers", query: { limit: "1" } },
    lost: "containers cannot be listed",
    setting: "CONTAINERS=1",
  },
  {
    name: "events",
    request: { route: "events", query: { since: "0", until: "1" } },
    lost: "changes are only found by listing now and then, and a stop that a user asked for looks like a crash",
    setting: "EVENTS=1",
  },
  { name: "logs", request: { route: "logs", id: NOBODY, query: { stdout: "1" } }, lost: "logs cannot be shown", setting: "CONTAINERS=1" },
  {
    name: "stats",
    request: { route: "stats", id: NOBODY, query: { stream: "0" } },
    lost: "resource figures are missing",
    setting: "CONTAINERS=1",
  },
  {
    name: "images",
    request: { route: "image", id: NO_IMAGE },
    lost: "digests and platforms of images are unknown, so is whether their content is the newest, and their labels count as those of containers",
    setting: "IMAGES=1",
  },
  { name: "info", request: { route: "info" }, lost: "the engine's exact time, system and swarm are unknown", setting: "INFO=1" },
];

/** Whether the swarm of an engine is looked at: where there is one, in any case, or not at all. */
export type SwarmUse = "auto" | "always" | "never";

export interface EngineDescription {
  description: RuntimeDescription;
  /** Its services can be seen. */
  isManager: boolean;
  capacity: Capacity;
}

/** Agrees on an API version and finds out what is allowed. With `swarm` it says too why an engine that is no manager shows no services. */
export async function describeEngine(client: EngineClient, swarm: SwarmUse, signal: AbortSignal): Promise<EngineDescription> {
  const { version, apiVersion } = await agreeOnVersion(client, signal);
  const denied = await findDenied(client, signal);
  client.useImages(!denied.has("images"));
  const info = denied.has("info") ? undefined : await client.json(infoAnswer, { route: "info" }, signal);
  const standing = swarm === "never" ? undefined : standingOf(info?.Swarm, await isSwarmDenied(client, info?.Swarm, signal));
  const isManager = standing?.standing === "manager";
  const cannotMeasure = info !== undefined && isRootlessOnFirst(info);
  const description = {
    version,
    apiVersion,
    hostname: info?.Name || hostname(),
    operatingSystem: info?.OperatingSystem ?? "",
    capabilities: {
      events: !denied.has("events"),
      stats: !denied.has("stats") && !cannotMeasure,
      logs: !denied.has("logs"),
      swarm: isManager,
      metrics: false,
    },
    missing: [
      ...PERMISSIONS.filter(({ name }) => denied.has(name)).map(
        ({ request, lost, setting }) =>
          `GET ${ENGINE_ROUTES[request.route].path} is denied: ${lost}. Allow it in the socket proxy (often ${setting}).`,
      ),
      ...(cannotMeasure ? [NOT_MEASURED] : []),
      // That an engine is in no swarm is nothing that is missing, unless somebody asked for one.
      ...(standing !== undefined && (standing.standing !== "inactive" || swarm === "always") && standing.reason !== null
        ? [standing.reason]
        : []),
    ],
  };
  return { description, isManager, capacity: capacityOf(info) };
}

/** Whether a proxy denies what a manager would show. */
async function isSwarmDenied(client: EngineClient, swarm: z.infer<typeof infoAnswer>["Swarm"], signal: AbortSignal): Promise<boolean> {
  if (swarm?.ControlAvailable !== true) return false;
  // Nothing of it is read here, and one that has no quorum does not answer in time.
  const query = { filters: JSON.stringify({ id: [NOBODY] }) };
  const answers = await Promise.all(SWARM_ROUTES.map((route) => client.probe({ route, query }, signal).catch(() => undefined)));
  signal.throwIfAborted();
  return answers.some((answer) => answer !== undefined && DENIED_STATUSES.includes(answer.status));
}

/** What the engine's host has; unknown where a proxy denies it. */
export async function readCapacity(client: EngineClient, signal: AbortSignal): Promise<Capacity> {
  const info = await client.json(infoAnswer, { route: "info" }, signal).catch(() => undefined);
  signal.throwIfAborted();
  return capacityOf(info);
}

/** Version 1 of control groups cannot be given to a user: the engine then says 0 % of the CPU, and the memory of the whole host, of each container. */
function isRootlessOnFirst({ CgroupVersion, SecurityOptions, Rootless }: z.infer<typeof infoAnswer>): boolean {
  return CgroupVersion === "1" && (Rootless || SecurityOptions.some((option) => option.split(",").includes("name=rootless")));
}

const NOT_MEASURED =
  "Resource figures are missing: a rootless engine cannot measure containers on cgroup v1. Boot the host with cgroup v2.";

function capacityOf(info: z.infer<typeof infoAnswer> | undefined): Capacity {
  return { cpus: info?.NCPU || null, memoryBytes: info?.MemTotal || null };
}

/** Agrees on the API version that the client speaks from then on. */
export async function agreeOnVersion(client: EngineClient, signal: AbortSignal): Promise<{ version: string; apiVersion: string }> {
  const engine = await readVersions(client, signal);
  const apiVersion = negotiateVersion(engine);
  if (apiVersion === undefined) {
    throw unavailable(
      client.address,
      `it speaks API ${engine.newest || "of no known version"}, but ${OLDEST_API} or later is needed. Update to Docker 19.03 or Podman 3 at least.`,
    );
  }
  client.useVersion(apiVersion, { podmanVersion: engine.podmanVersion });
  // It speaks Docker's language, and people know it by another name.
  return { version: engine.podmanVersion === null ? engine.version : `Podman ${engine.version}`, apiVersion };
}

/** The ping comes first: it distinguishes silence from denial, and its headers have the version where a proxy denies /version. */
async function readVersions(
  client: EngineClient,
  signal: AbortSignal,
): Promise<{ version: string; newest: string; oldest: string | undefined; podmanVersion: string | null }> {
  const { headers } = await client.probe({ route: "ping" }, signal);
  const libpodVersion = headers["libpod-api-version"];
  const podmanVersion = typeof libpodVersion === "string" ? libpodVersion : null;
  try {
    const { Version, ApiVersion, MinAPIVersion } = await client.json(versionAnswer, { route: "version" }, signal);
    return { version: Version, newest: ApiVersion, oldest: MinAPIVersion, podmanVersion };
  } catch (error) {
    const header = headers["api-version"];
    if (typeof header !== "string" || signal.aborted) throw error;
    return { version: /\/([\w.+~-]+)/.exec(String(headers["server"]))?.[1] ?? "", newest: header, oldest: undefined, podmanVersion };
  }
}

async function findDenied(client: EngineClient, signal: AbortSignal): Promise<Set<PermissionName>> {
  const denied = new Set<PermissionName>();
  await Promise.all(
    PERMISSIONS.map(async ({ name, request }) => {
      // Another failure is no denial; the call that needs the route will say what it is.
      const answer = await client.probe(request, signal).catch(() => undefined);
      if (answer !== undefined && DENIED_STATUSES.includes(answer.status)) denied.add(name);
    }),
  );
  signal.throwIfAborted();
  return denied;
}

/** The oldest API that is understood, and the newest whose answers were read while writing this. */
const OLDEST_API = "1.40";
const NEWEST_API = "1.51";

/**
 * The API version to speak with an engine: the newest that both know. An engine that no longer speaks ours is asked in its own oldest,
 * since the few fields that are read have been stable. Undefined when the engine is too old or says no version.
 */
export function negotiateVersion(engine: { newest: string; oldest: string | undefined }): string | undefined {
  if (!isVersion(engine.newest) || compareVersions(engine.newest, OLDEST_API) < 0) return undefined;
  if (compareVersions(engine.newest, NEWEST_API) <= 0) return engine.newest;
  const oldest = engine.oldest !== undefined && isVersion(engine.oldest) ? engine.oldest : NEWEST_API;
  return compareVersions(oldest, NEWEST_API) > 0 ? oldest : NEWEST_API;
}

function isVersion(text: string): boolean {
  return /^\d{1,4}\.\d{1,4}$/.test(text);
}

function compareVersions(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split(".").map(Number);
  const [rightMajor = 0, rightMinor = 0] = right.split(".").map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}
