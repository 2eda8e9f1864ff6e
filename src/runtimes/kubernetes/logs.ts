import { isServiceError, messageOf, ServiceError } from "../../platform/errors.ts";
import type { KubernetesPod, PodContainer } from "../../observations/kubernetes-workloads.ts";
import { createLineAssembler } from "../log-lines.ts";
import type { LogBatch, LogLine, LogOptions } from "../runtime.ts";
import type { ApiRefusal, KubernetesClient } from "./client/index.ts";
import type { WatchedCluster } from "./watching.ts";

/** Of one workload. */
const MOST_STREAMS = 25;

export interface LogPlace {
  client: Pick<KubernetesClient, "stream">;
  cluster: Pick<WatchedCluster, "view" | "subscribe">;
  workloadId: string;
}

/** The log of one container of a pod, from one start of it to its end. */
interface LogSource {
  pod: KubernetesPod;
  container: PodContainer;
  key: string;
}

/**
 * The log of a workload's containers: the last lines in the order of time, then, when following, new ones as they come, those of pods and restarts to come
 * too. What ran before the last restart has ended and is not followed. Where several containers are in it each line begins with its pod, its container or both. Throws `not_found` where there is no log now.
 */
export async function* readLogs(place: LogPlace, options: LogOptions): AsyncIterable<LogBatch> {
  const sources = sourcesOf(place, options);
  if (sources.length === 0) throw new ServiceError("not_found", "No container of this workload has a log now.");
  const prefixOf = prefixesFor(sources, options);
  const kept = await Promise.allSettled(sources.map((source) => collect(readOne(place.client, source, { ...options, follow: false }))));
  options.signal.throwIfAborted();
  const lines = kept.flatMap((each, index) =>
    each.status === "fulfilled" ? each.value.map((line) => marked(line, prefixOf(sources[index]))) : [],
  );
  const failures = kept.flatMap((each, index) =>
    each.status === "rejected" ? [{ source: sources[index], error: each.reason as unknown }] : [],
  );
  if (failures.length === sources.length) throw failures[0]?.error;
  // A node that is down hides only the logs of its pods.
  const notes = failures.flatMap(({ source, error }) => (isGone(error) ? [] : [marked(noteOf(error), prefixOf(source))]));
  const first = [...notes, ...lines.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(-options.tail)];
  if (first.length > 0) yield first;
  if (options.follow && options.previous !== true)
    yield* followAll(place, { known: sources, lastAt: Math.max(0, ...lines.map(timeOf)), prefixOf }, options);
}

/** Those that have a log, of the newest pods first. */
function sourcesOf({ cluster, workloadId }: LogPlace, { container: wanted, previous }: LogOptions): LogSource[] {
  return cluster.view
    .podsOf(workloadId)
    .toSorted((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0))
    .flatMap((pod) =>
      pod.containers
        .filter(({ name, kind }) => (wanted === undefined ? kind === "app" || kind === "sidecar" : name === wanted))
        .filter(({ state, lastEnd }) => (previous === true ? lastEnd !== null : state !== "waiting" || lastEnd !== null))
        .map((container) => ({ pod, container, key: `${pod.id} ${container.name} ${container.restartCount}` })),
    )
    .slice(0, MOST_STREAMS);
}

/** What a line begins with, by what there is to distinguish: several pods may come with time, so that a workload of one pod has it as well. */
function prefixesFor(sources: readonly LogSource[], { container }: LogOptions): (source: LogSource | undefined) => string {
  const isOneContainer = container !== undefined || new Set(sources.map((each) => each.container.name)).size === 1;
  const isOnePod = sources.length === 1;
  return (source) => {
    if (source === undefined) return "";
    const words = [...(isOnePod ? [] : [source.pod.name]), ...(isOneContainer ? [] : [source.container.name])];
    return words.length === 0 ? "" : `[${words.join(" ")}] `;
  };
}

function marked(line: LogLine, prefix: string): LogLine {
  return prefix === "" ? line : { ...line, text: prefix + line.text };
}

function timeOf({ timestamp }: LogLine): number {
  return timestamp?.getTime() ?? 0;
}

async function* readOne(
  client: Pick<KubernetesClient, "stream">,
  { pod, container }: LogSource,
  { tail, since, follow, previous, signal }: LogOptions,
): AsyncIterable<LogBatch> {
  // One that waits to be started again has the log of its last run only.
  const isOfBefore = previous === true || container.state === "waiting";
  const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${encodeURIComponent(pod.name)}/log`;
  const answer = await client.stream(path, {
    query: {
      container: container.name,
      timestamps: "true",
      tailLines: String(tail),
      ...(follow && !isOfBefore && { follow: "true" }),
      ...(isOfBefore && { previous: "true" }),
      ...(since && { sinceTime: since.toISOString() }),
    },
    signal,
  });
  if ("refused" in answer) throw refusalOf(answer.refused, pod);
  const assembler = createLineAssembler("stdout", { joinsFrames: true });
  for await (const bytes of answer.body as AsyncIterable<Buffer>) {
    const lines = assembler.push({ bytes, begins: false });
    if (lines.length > 0) yield lines;
  }
  const last = assembler.end();
  if (last.length > 0) yield last;
}

async function collect(batches: AsyncIterable<LogBatch>): Promise<LogLine[]> {
  return (await Array.fromAsync(batches)).flat();
}

interface Followed {
  known: readonly LogSource[];
  /** When the newest line of the past was written. */
  lastAt: number;
  prefixOf: (source: LogSource | undefined) => string;
}

const ENDED = { done: true, value: undefined } as const;

type Step = { key: string; result: IteratorResult<LogBatch> } | "changed";

/** New lines of all, until the workload is gone. A slow reader holds up the streams. */
async function* followAll(place: LogPlace, { known, lastAt, prefixOf }: Followed, options: LogOptions): AsyncIterable<LogBatch> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const past = new Set(known.map(({ key }) => key));
  const streams = new Map<string, { lines: AsyncIterator<LogBatch>; prefix: string }>();
  const next = new Map<string, Promise<Step>>();
  let news = Promise.withResolvers<Step>();
  const stop = place.cluster.subscribe(() => news.resolve("changed"));
  const abort = (): void => news.resolve("changed");
  signal.addEventListener("abort", abort);

  /** Of one that was read before only what is newer; of one that came since, all of it. */
  function open(source: LogSource): void {
    const isOld = past.has(source.key);
    const since = isOld && lastAt > 0 ? { since: new Date(lastAt + 1) } : {};
    const lines = readOne(place.client, source, { ...options, previous: false, ...since, tail: isOld ? 0 : options.tail, signal });
    const prefix = prefixOf(source);
    streams.set(source.key, { lines: withPrefix(lines, prefix)[Symbol.asyncIterator](), prefix });
    next.set(source.key, advance(source.key));
  }

  /** When a pod goes, its log ends; when one of several cannot be read, a line says so and the others continue. */
  async function advance(key: string): Promise<Step> {
    const stream = streams.get(key);
    if (stream === undefined) return { key, result: ENDED };
    try {
      return { key, result: await stream.lines.next() };
    } catch (error) {
      if (isGone(error)) return { key, result: ENDED };
      if (signal.aborted || next.size <= 1) throw error;
      // With that it has ended: the next step is its end.
      return { key, result: { done: false, value: [marked(noteOf(error), stream.prefix)] } };
    }
  }

  function openNew(): void {
    for (const source of sourcesOf(place, options)) if (!streams.has(source.key) && streams.size < MOST_STREAMS) open(source);
  }

  try {
    openNew();
    while (!signal.aborted && place.cluster.view.podsOf(place.workloadId).length > 0) {
      const step = await Promise.race([...next.values(), news.promise]);
      if (step === "changed") {
        news = Promise.withResolvers();
        forgetEnded();
        openNew();
        continue;
      }
      if (step.result.done === true) next.delete(step.key);
      else {
        next.set(step.key, advance(step.key));
        yield step.result.value;
      }
    }
  } finally {
    ending.abort();
    stop();
    signal.removeEventListener("abort", abort);
    for (const each of next.values()) void each.catch(() => undefined);
  }

  /** Logs that ended, of containers that are not there any more. */
  function forgetEnded(): void {
    const there = new Set(sourcesOf(place, options).map(({ key }) => key));
    for (const key of streams.keys()) if (!next.has(key) && !there.has(key)) streams.delete(key);
  }
}

async function* withPrefix(batches: AsyncIterable<LogBatch>, prefix: string): AsyncIterable<LogBatch> {
  for await (const batch of batches) yield batch.map((line) => marked(line, prefix));
}

function isGone(error: unknown): boolean {
  return isServiceError(error, "not_found");
}

/** A line of ours in place of those that cannot be read. */
function noteOf(error: unknown): LogLine {
  return { timestamp: null, stream: "stderr", text: `(not read: ${messageOf(error)})` };
}

function refusalOf({ status, message }: ApiRefusal, { namespace, name }: KubernetesPod): ServiceError {
  if (status === 404) return new ServiceError("not_found", `The pod ${namespace}/${name} is not there any more.`);
  if (status === 403)
    return new ServiceError("runtime_unavailable", "Logs may not be read: allow get of pods/log to the account of Binnacle.");
  return new ServiceError("runtime_unavailable", `The log of ${namespace}/${name} cannot be read: ${message}`);
}
