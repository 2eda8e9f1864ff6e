import assert from "node:assert/strict";
import { it } from "node:test";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { startIngestServer } from "../../test/support/ingest-server.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { hastyClock } from "../../test/support/uplink.ts";
import { buildInfo } from "../config/build.ts";
import { parseConfig } from "../config/config.ts";
import { KUBERNETES_OBJECT_KINDS, type KubernetesObjects } from "../observations/kubernetes.ts";
import { silentLog } from "../platform/log.ts";
import type { RuntimeKubernetes } from "../runtimes/runtime.ts";
import { createAgent } from "./agent.ts";

it("an agent shows the whole of its cluster to a server that it reaches before its runtime", async (t) => {
  const server = await startIngestServer();
  server.limits.maxListingBytes = 1_000_000;
  const objects = Object.fromEntries(KUBERNETES_OBJECT_KINDS.map((kind) => [kind, []])) as unknown as KubernetesObjects;
  const cluster: RuntimeKubernetes = {
    ...{ standing: "watching", reason: null, clusterId: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", version: "v1.33.0" },
    ...{ unseen: [], isComplete: true, objects: { ...objects, workloads: [] }, removed: {} },
  };
  const connected = Promise.withResolvers<void>();
  const fake = createFakeRuntime(0);
  const runtime = {
    ...fake,
    kind: "kubernetes" as const,
    async describe(signal: AbortSignal) {
      await connected.promise;
      return fake.describe(signal);
    },
    kubernetes: {
      read: () => cluster,
      async *changes(signal: AbortSignal) {
        yield cluster;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    },
  };
  const env = {
    ...{ SERVICE_MODE: "agent", SERVICE_SERVER: `grpc://127.0.0.1:${server.port}` },
    ...{ SERVICE_ENROLLMENT_TOKEN: "svc_enr_token", SERVICE_DATA_DIR: temporaryFolder() },
  };
  const start = parseConfig({ argv: [], env });
  assert.ok("config" in start);
  const agent = createAgent({ config: start.config, build: buildInfo(), runtime, clock: hastyClock, log: silentLog });
  t.after(async () => {
    connected.resolve();
    await agent.stop();
    await server.stop();
  });
  await agent.start();
  const shown = await until(() =>
    server.batches.flatMap(({ events }) => events).find(({ observation }) => observation.kind === "kubernetes.observed"),
  );
  assert.ok(shown.observation.kind === "kubernetes.observed" && shown.observation.kubernetes.isComplete);
});
