import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { type IngestServer, startIngestServer } from "../../test/support/ingest-server.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { hastyClock } from "../../test/support/uplink.ts";
import { buildInfo } from "../config/build.ts";
import { parseConfig } from "../config/config.ts";
import type { Observation } from "../observations.ts";
import { KUBERNETES_OBJECT_KINDS, type KubernetesObjects } from "../observations/kubernetes.ts";
import { silentLog } from "../platform/log.ts";
import type { Runtime, RuntimeKubernetes } from "../runtimes/runtime.ts";
import { createAgent } from "./agent.ts";

const objects = Object.fromEntries(KUBERNETES_OBJECT_KINDS.map((kind) => [kind, []])) as unknown as KubernetesObjects;
const cluster: RuntimeKubernetes = {
  ...{ standing: "watching", reason: null, clusterId: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", version: "v1.33.0" },
  ...{ unseen: [], isComplete: true, objects, removed: {} },
};
const fake = createFakeRuntime(0);
const onCluster: Runtime = {
  ...fake,
  kind: "kubernetes",
  kubernetes: {
    read: () => cluster,
    async *changes(signal: AbortSignal) {
      yield cluster;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  },
};

/** Starts an agent and the server that it sends to. `release` lets the runtime end. */
async function startAgent(t: TestContext, runtime: Runtime, release: () => void = () => undefined): Promise<IngestServer> {
  const server = await startIngestServer();
  server.limits.maxListingBytes = 1_000_000;
  const env = {
    ...{ SERVICE_MODE: "agent", SERVICE_SERVER: `grpc://127.0.0.1:${server.port}` },
    ...{ SERVICE_ENROLLMENT_TOKEN: "svc_enr_token", SERVICE_DATA_DIR: temporaryFolder() },
  };
  const start = parseConfig({ argv: [], env });
  assert.ok("config" in start);
  const agent = createAgent({ config: start.config, build: buildInfo(), runtime, clock: hastyClock, log: silentLog });
  t.after(async () => {
    release();
    await agent.stop();
    await server.stop();
  });
  await agent.start();
  return server;
}

function untilSeen<Kind extends Observation["kind"]>({ batches }: IngestServer, kind: Kind): Promise<Extract<Observation, { kind: Kind }>> {
  return until(
    () =>
      batches
        .flatMap(({ events }) => events.map(({ observation }) => observation))
        .find((each): each is Extract<Observation, { kind: Kind }> => each.kind === kind),
    { what: kind },
  );
}

it("an agent shows the whole of its cluster to a server that it reaches before its runtime", async (t) => {
  const connected = Promise.withResolvers<void>();
  const runtime: Runtime = {
    ...onCluster,
    async describe(signal) {
      await connected.promise;
      return fake.describe(signal);
    },
  };
  const server = await startAgent(t, runtime, connected.resolve);
  assert.ok((await untilSeen(server, "kubernetes.observed")).kubernetes.isComplete);
});

it("an agent shows its cluster and its runtime to a server also when its containers cannot be listed", async (t) => {
  let listings = 0;
  const runtime: Runtime = {
    ...onCluster,
    async inventory(signal) {
      listings += 1;
      if (listings > 1) throw new Error("the engine does not answer");
      return fake.inventory(signal);
    },
  };
  const server = await startAgent(t, runtime);
  assert.ok((await untilSeen(server, "kubernetes.observed")).kubernetes.isComplete);
  assert.equal((await untilSeen(server, "runtime.changed")).status.connected, true);
  assert.equal(listings, 2);
});
