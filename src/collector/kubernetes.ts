import type { ObservationSink } from "../observations.ts";
import type { KubernetesSighting } from "../observations/kubernetes.ts";
import type { KubernetesWorkload } from "../observations/kubernetes-workloads.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { KubernetesSource, RuntimeKubernetes, RuntimeWorkload } from "../runtimes/runtime.ts";
import { parseLabels } from "./labels.ts";

const AGAIN_MS = 1_000;

export interface KubernetesCollectorOptions {
  source: KubernetesSource;
  sink: ObservationSink;
  /** null is the local host. */
  agentId: string | null;
  clock: Clock;
  log: Log;
}

/** Watches a cluster for as long as it runs. */
export interface KubernetesCollector {
  start(): void;
  stop(): Promise<void>;
  /** Publishes all of it again, as an agent does for each new connection to its server. */
  refresh(): void;
}

export function createKubernetesCollector({ source, sink, agentId, clock, log }: KubernetesCollectorOptions): KubernetesCollector {
  const stopping = new AbortController();
  let standing: KubernetesSighting["standing"] | undefined;
  let running: Promise<void> | undefined;

  function publish(seen: RuntimeKubernetes): void {
    const kubernetes = toSighting(seen);
    if (kubernetes.standing !== standing) log.info({ standing: kubernetes.standing, reason: kubernetes.reason }, "Kubernetes cluster");
    standing = kubernetes.standing;
    sink.observe(agentId, { kind: "kubernetes.observed", observedAt: clock.now(), kubernetes });
  }

  async function keepWatching(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const seen of source.changes(signal)) publish(seen);
      } catch (error) {
        if (!signal.aborted) log.warn({ reason: messageOf(error) }, "Kubernetes cluster not read");
      }
      await pause(clock, AGAIN_MS, signal);
    }
  }

  return {
    start() {
      running ??= keepWatching(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    refresh() {
      if (standing !== undefined && !stopping.signal.aborted) publish(source.read());
    },
  };
}

/** Reads what the annotations of workloads ask for. */
function toSighting({ objects, ...seen }: RuntimeKubernetes): KubernetesSighting {
  return { ...seen, objects: { ...objects, workloads: objects.workloads.map(toWorkload) } };
}

function toWorkload(workload: RuntimeWorkload): KubernetesWorkload {
  const { ignored, group, alertSeverity, alertChannels, alertTags } = parseLabels(workload.labels).settings;
  return { ...workload, settings: { ignored, group, alertSeverity, alertChannels, alertTags } };
}
