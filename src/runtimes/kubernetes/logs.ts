import { ServiceError } from "../../platform/errors.ts";
import type { KubernetesPod } from "../../observations/kubernetes.ts";
import { createLineAssembler } from "../log-lines.ts";
import type { LogLine, LogOptions } from "../runtime.ts";
import type { ApiRefusal, KubernetesClient } from "./client/index.ts";

/** Of one workload. */
const MOST_STREAMS = 25;

interface LogSource {
  pod: KubernetesPod;
  container: string;
  /** Where a workload has several, each line says of which it is. */
  prefix: string;
}

/** The log of a workload's containers: the last lines in the order of time, then, when following, new ones as they come. */
export async function* readLogs(
  client: Pick<KubernetesClient, "stream">,
  pods: readonly KubernetesPod[],
  options: LogOptions,
): AsyncIterable<LogLine> {
  const sources = sourcesOf(pods, options);
  if (sources.length === 0) throw new ServiceError("not_found", "No container of this workload has a log now.");
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return yield* readOne(client, only, options);
  const past = { ...options, follow: false };
  const kept = await Promise.all(sources.map((source) => collect(readOne(client, source, past))));
  const lines = kept.flat().toSorted((a, b) => (a.timestamp?.getTime() ?? 0) - (b.timestamp?.getTime() ?? 0));
  yield* lines.slice(-options.tail);
  if (options.follow) yield* followAll(client, sources, { ...options, tail: 0 });
}

/** Those that run, newest first; of a workload whose pods all ended, the newest of them. */
function sourcesOf(pods: readonly KubernetesPod[], { container, previous }: LogOptions): LogSource[] {
  const found = pods
    .toSorted((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0))
    .flatMap((pod) =>
      pod.containers
        .filter(({ name, kind }) => (container === undefined ? kind === "app" || kind === "sidecar" : name === container))
        .filter(({ state, lastEnd }) => (previous === true ? lastEnd !== null : state !== "waiting" || lastEnd !== null))
        .map(({ name }) => ({ pod, container: name })),
    )
    .slice(0, MOST_STREAMS);
  const isOnePod = new Set(found.map(({ pod }) => pod.id)).size === 1;
  const isOneName = new Set(found.map(({ container: name }) => name)).size === 1;
  return found.map((each) => {
    const words = [...(isOnePod ? [] : [each.pod.name]), ...(isOneName ? [] : [each.container])];
    return { ...each, prefix: words.length === 0 ? "" : `[${words.join(" ")}] ` };
  });
}

async function* readOne(
  client: Pick<KubernetesClient, "stream">,
  { pod, container, prefix }: LogSource,
  { tail, since, follow, previous, signal }: LogOptions,
): AsyncIterable<LogLine> {
  // One that waits to be started again has the log of its last run only.
  const isWaiting = pod.containers.find(({ name }) => name === container)?.state === "waiting";
  const answer = await client.stream(`/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${encodeURIComponent(pod.name)}/log`, {
    query: {
      container,
      timestamps: "true",
      tailLines: String(tail),
      ...(follow && { follow: "true" }),
      ...((previous === true || isWaiting) && { previous: "true" }),
      ...(since && { sinceTime: since.toISOString() }),
    },
    signal,
  });
  if ("refused" in answer) throw refusalOf(answer.refused, pod);
  const lines = createLineAssembler("stdout", { joinsFrames: true });
  for await (const bytes of answer.body as AsyncIterable<Buffer>) yield* lines.push({ bytes, begins: false }).map(marked);
  yield* lines.end().map(marked);

  function marked(line: LogLine): LogLine {
    return prefix === "" ? line : { ...line, text: prefix + line.text };
  }
}

async function collect(lines: AsyncIterable<LogLine>): Promise<LogLine[]> {
  const collected: LogLine[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}

/** New lines of all, as they come. One that ends is left; when all have ended, so does this. A slow reader holds up the streams. */
async function* followAll(
  client: Pick<KubernetesClient, "stream">,
  sources: readonly LogSource[],
  options: LogOptions,
): AsyncIterable<LogLine> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const streams = sources.map((source) => readOne(client, source, { ...options, signal })[Symbol.asyncIterator]());
  const next = new Map(streams.map((stream, index) => [index, advance(stream, index)]));
  try {
    while (next.size > 0) {
      const { index, result } = await Promise.race(next.values());
      const stream = streams[index];
      if (result.done === true || stream === undefined) {
        next.delete(index);
        continue;
      }
      next.set(index, advance(stream, index));
      yield result.value;
    }
  } finally {
    ending.abort();
    for (const each of next.values()) void each.catch(() => undefined);
  }
}

async function advance(stream: AsyncIterator<LogLine>, index: number): Promise<{ index: number; result: IteratorResult<LogLine> }> {
  return { index, result: await stream.next() };
}

function refusalOf({ status, message }: ApiRefusal, { namespace, name }: KubernetesPod): ServiceError {
  if (status === 404) return new ServiceError("not_found", `The pod ${namespace}/${name} is not there any more.`);
  if (status === 403)
    return new ServiceError("runtime_unavailable", "Logs may not be read: allow get of pods/log to the account of Binnacle.");
  return new ServiceError("runtime_unavailable", `The log of ${namespace}/${name} cannot be read: ${message}`);
}
