import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../runtime.ts";
import { parseEngineAddress } from "./address.ts";
import { createEngineClient } from "./client.ts";
import { isOneOff } from "./container.ts";
import { agreeOnVersion, describeEngine } from "./describe.ts";
import { readEngineTime } from "./engine-time.ts";
import { createInspection } from "./inspection.ts";
import { createKnownContainers } from "./known.ts";
import { readLogs } from "./logs.ts";
import { containerList } from "./schemas.ts";
import { watchEvents } from "./watch.ts";

export interface DockerRuntimeOptions {
  /** As in DOCKER_HOST: unix://, tcp://, http:// or https://. */
  host: string;
  certPath?: string | undefined;
  tlsVerify?: boolean | undefined;
  clock: Clock;
}

/** Docker, or Podman's Docker-compatible service, read only. Throws a StartError for an address that can never work. */
export function createDockerRuntime({ host, certPath, tlsVerify = false, clock }: DockerRuntimeOptions): Runtime {
  const address = parseEngineAddress(host, { tlsVerify });
  const client = createEngineClient({ address, certPath, clock });
  const inspection = createInspection(client);
  const known = createKnownContainers();
  let agreed = false;

  /** Paths name a version, so one has to be agreed on before the first. */
  async function agreeOnce(signal: AbortSignal): Promise<void> {
    if (agreed) return;
    await agreeOnVersion(client, signal);
    agreed = true;
  }

  return {
    kind: "docker",
    address: address.display,
    async describe(signal) {
      const description = await describeEngine(client, signal);
      agreed = true;
      return description;
    },
    async inventory(signal) {
      await agreeOnce(signal);
      // Read before the listing: it may then be newer than it claims, never older.
      const at = await readEngineTime(client, clock, signal);
      const listed = await client.json(containerList, { route: "containers", query: { all: "1" } }, signal);
      const ids = listed.filter(({ Labels }) => !isOneOff(Labels)).map(({ Id }) => Id);
      const inspected = await Promise.all(ids.map((id) => inspection.inspect(id, signal)));
      const present = inspected.filter((seen) => seen !== undefined);
      return { at, containers: known.reconcile(present, at).map(({ container }) => container) };
    },
    async *watch(options) {
      await agreeOnce(options.signal);
      yield* watchEvents({ client, inspection, known, clock }, options);
    },
    async *logs(externalId, options) {
      await agreeOnce(options.signal);
      yield* readLogs(client, externalId, options);
    },
    async close() {
      client.close();
    },
  };
}
