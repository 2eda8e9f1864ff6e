import { createLabelled } from "../collector/labelled/index.ts";
import { agentHello, createLocalHost } from "../app/local-host.ts";
import type { Listener } from "../fleet/listener/index.ts";
import type { AgentRegister, Ingest } from "../fleet/seams.ts";
import type { Observation, ObservationSink } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import { messageOf, ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createSerial } from "../platform/queues.ts";
import { createDemoChecks } from "./checks.ts";
import { createDemoHostReader } from "./host.ts";
import { createDemoRuntime } from "./runtime.ts";
import type { DemoHost } from "./world/containers.ts";

export interface DemoUplinkOptions {
  host: DemoHost & { agentId: string };
  updatedMs: number;
  version: string;
  agents: AgentRegister;
  ingest: Ingest;
  clock: Clock;
  log: Log;
}

const SEEN_EVERY_MS = 5_000;

/** Stands for the port of the agents and for the one agent of the demo: the same collectors, with no network between them and the server. */
export function createDemoUplink(options: DemoUplinkOptions): Listener {
  const { host, updatedMs, version, agents, ingest, clock, log } = options;
  const { agentId } = host;
  const runtime = createDemoRuntime({ host, updatedMs, clock });
  const serial = createSerial();
  let waiting: Observation[] = [];
  let isRevoked = false;

  /** What waits goes together, in its order. */
  const flush = (): Promise<void> =>
    serial("live", async () => {
      const batch = waiting;
      waiting = [];
      if (batch.length === 0 || isRevoked) return;
      agents.seen(agentId, batch.length);
      await ingest.live(agentId, batch).catch((error: unknown) => log.debug({ reason: messageOf(error) }, "observations not taken"));
    });
  const uplink: ObservationSink = {
    observe(_agentId, observation) {
      waiting.push(observation);
      if (waiting.length === 1) void Promise.resolve().then(flush);
    },
  };
  const { probes, scan } = createDemoChecks({ sink: uplink, updatedMs, clock });
  const labelled = createLabelled({ sink: uplink, probes, scan, clock, log });
  const localHost = createLocalHost({
    runtime,
    sink: {
      observe(sender, observation) {
        uplink.observe(sender, observation);
        labelled.observe(sender, observation);
      },
    },
    hostProc: undefined,
    host: createDemoHostReader(host, { updatedMs, clock }),
    labels: { checkMethods: [], imageLabels: false },
    clock,
    log,
    resumeFrom: () => undefined,
    onStatus: (status) => uplink.observe(null, { kind: "runtime.changed", observedAt: clock.now(), status }),
  });
  let seen: ReturnType<Clock["after"]> | undefined;
  function keepSeen(): void {
    agents.seen(agentId, 0);
    seen = clock.after(SEEN_EVERY_MS, keepSeen);
  }

  return {
    async start() {
      agents.connected(
        agentId,
        { ...agentHello({ runtime: "docker", hostname: host.hostname, operatingSystem: host.os }, version), arch: "x64" },
        0,
      );
      keepSeen();
      probes.start();
      labelled.start();
      localHost.start();
    },
    async stop() {
      seen?.cancel();
      await Promise.all([localHost.stop(), labelled.stop(), probes.stop()]);
      await serial("live", async () => undefined);
    },
    async disconnect() {
      isRevoked = true;
      seen?.cancel();
      agents.disconnected(agentId);
    },
    checkEdition: () => undefined,
    connected: () => (isRevoked ? 0 : 1),
    address: () => undefined,
    logs(asked, { externalId, ...request }) {
      if (asked !== agentId || isRevoked) throw new ServiceError("agent_offline", "This host is not connected.");
      return runtime.logs(externalId, request);
    },
  };
}
