import { access } from "node:fs/promises";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { createDockerRuntime, type SwarmUse } from "./docker/index.ts";
import type { Runtime, SwarmSource } from "./runtime.ts";

/** The parts of the environment that say where a runtime is. */
export interface RuntimeEnvironment {
  /** SERVICE_DOCKER_HOST, else DOCKER_HOST. */
  dockerHost?: string | undefined;
  certPath?: string | undefined;
  tlsVerify?: boolean | undefined;
  xdgRuntimeDir?: string | undefined;
  home?: string | undefined;
  /** Where /proc of the host is mounted; absent: /host/proc or /proc. */
  hostProc?: string | undefined;
  /** The runtime that was asked for; absent: whatever is there. */
  runtime?: string | undefined;
}

/**
 * The runtime of this host. Without a configured address the usual sockets are tried; while none exists every call throws
 * `runtime_unavailable` and looks again, so that an engine installed later is found.
 */
export function detectRuntime(environment: RuntimeEnvironment, clock: Clock): Runtime {
  const { dockerHost, certPath, tlsVerify, hostProc, runtime } = environment;
  const swarm = SWARM_USE[runtime ?? "auto"];
  if (dockerHost !== undefined && dockerHost !== "")
    return createDockerRuntime({ host: dockerHost, certPath, tlsVerify, hostProc, clock, swarm });
  return searchSockets(usualSockets(environment), { clock, hostProc, swarm });
}

/** By the runtime that was asked for. */
const SWARM_USE: Readonly<Record<string, SwarmUse>> = { auto: "auto", swarm: "always", docker: "never" };

/** Where engines listen when nobody says otherwise: Docker, rootless Docker, Docker Desktop, Podman, rootless Podman. */
export function usualSockets({ xdgRuntimeDir, home }: RuntimeEnvironment): string[] {
  return [
    "/var/run/docker.sock",
    ...(xdgRuntimeDir ? [`${xdgRuntimeDir}/docker.sock`] : []),
    ...(home ? [`${home}/.docker/run/docker.sock`] : []),
    "/run/podman/podman.sock",
    ...(xdgRuntimeDir ? [`${xdgRuntimeDir}/podman/podman.sock`] : []),
  ];
}

export interface SearchParts {
  clock: Clock;
  hostProc?: string | undefined;
  swarm?: SwarmUse | undefined;
}

/** A runtime that is looked for at every call until one of the sockets exists. */
export function searchSockets(sockets: string[], parts: SearchParts): Runtime {
  let found: Runtime | undefined;

  async function find(): Promise<Runtime> {
    for (const path of found === undefined ? sockets : []) {
      if (await exists(path)) found ??= createDockerRuntime({ host: `unix://${path}`, ...parts });
    }
    if (found !== undefined) return found;
    throw new ServiceError(
      "runtime_unavailable",
      `No container runtime was found: none of ${sockets.join(", ")} exists. Start Docker or Podman, mount its socket, or set SERVICE_DOCKER_HOST. Binnacle keeps looking for one.`,
    );
  }

  return {
    get kind() {
      return found?.kind ?? "docker";
    },
    ...(parts.swarm !== "never" && {
      swarm: {
        read: async (signal) => swarmOf(await find()).read(signal),
        async *changes(signal) {
          yield* swarmOf(await find()).changes(signal);
        },
      } satisfies SwarmSource,
    }),
    get address() {
      return found?.address ?? "none found yet";
    },
    networkAddresses: () => found?.networkAddresses() ?? [],
    describe: async (signal) => (await find()).describe(signal),
    missing: () => found?.missing?.() ?? [],
    inventory: async (signal) => (await find()).inventory(signal),
    async *watch(options) {
      yield* (await find()).watch(options);
    },
    async *logs(externalId, options) {
      yield* (await find()).logs(externalId, options);
    },
    stats: async (signal) => (await find()).stats(signal),
    close: async () => found?.close(),
  };
}

function swarmOf({ swarm }: Runtime): SwarmSource {
  if (swarm === undefined) throw new ServiceError("runtime_unavailable", "This runtime knows no swarms.");
  return swarm;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
