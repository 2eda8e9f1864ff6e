import { joinWords } from "../../../../src/contract/words.ts";
import type { IsUnseen } from "../../app/sight.ts";
import { IDLE_WORDS, needsAttention } from "../../format/container-status.ts";
import { isEndpointUnseen } from "../../format/endpoint-status.ts";
import { heartbeatNeedsAttention } from "../../format/heartbeat-status.ts";
import { isUrgent } from "../../format/impact.ts";
import { countOf } from "../../format/number.ts";
import type { Attention } from "./attention.ts";
import { isEmpty, type Watched } from "./watched.ts";

/** What the headline calls each kind of thing, and in which order. */
const KINDS: Readonly<Record<string, string>> = {
  container: "container",
  kubernetes_workload: "workload",
  swarm_service: "service",
  endpoint: "endpoint",
  heartbeat: "heartbeat",
  certificate: "certificate",
  kubernetes_certificate: "certificate",
  kubernetes_claim: "volume",
  kubernetes_node: "node",
  swarm_node: "node",
  agent: "host",
  host: "host",
  kubernetes_cluster: "cluster",
  swarm: "swarm",
};
const ORDER = [...new Set(Object.values(KINDS))];

/** Whether the headline counts it: people lose something, and nobody has it in hand. */
export function needsSomebody({ impact, isSettled }: Attention): boolean {
  return !isSettled && isUrgent(impact);
}

interface Sight {
  /** No host is seen at the moment. */
  isStale: boolean;
  /** The server is not reached. */
  isOffline: boolean;
  /** Something was not read, or not yet. */
  isPartial: boolean;
  isUnseen: IsUnseen;
  /** Hosts whose containers have never been seen. */
  unknownHosts: readonly string[];
}

/** The state of everything: a headline, which says so where it is how things were last seen, and what it leaves out. */
export function stateSummary(watched: Watched, attention: readonly Attention[], sight: Sight): { headline: string; rest: string } {
  const { isStale, isOffline, isPartial } = sight;
  if (isEmpty(watched) && attention.length === 0)
    return { headline: isStale || isOffline ? "No data from this host yet" : "No containers yet", rest: "" };
  const isPast = isOffline || (isStale && watched.containers.length > 0);
  const summary = summarize(watched, attention, isPast ? { ...sight, isUnseen: () => false } : sight);
  const headline = isPartial && !attention.some(needsSomebody) ? "Loaded data is healthy" : summary.headline;
  return { ...summary, headline: isPast ? `When last seen: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}` : headline };
}

function summarize(
  watched: Watched,
  attention: readonly Attention[],
  { isPartial, isUnseen, unknownHosts }: Sight,
): { headline: string; rest: string } {
  const open = attention.filter(needsSomebody);
  const troubled = new Set(open.map(({ type, id }) => `${type} ${id}`));
  const well = wellWords(seenOf(watched, isUnseen), troubled);
  const unknown = unknownWords(watched, unknownHosts);
  const unseenCounts = unseenWords(watched, isUnseen);
  const unseen = sentences(unseenCounts, unknown);
  const others = `Everything else ${isPartial ? "loaded " : unknown === "" ? "" : "seen "}is healthy`;
  const settled = attention.filter(({ isSettled }) => isSettled).length;
  const settledWords = settled === 0 ? "" : `${settled} acknowledged or silenced.`;
  if (open.length === 0) {
    const [first, ...more] = well;
    if (unknown !== "" && watched.containers.length === 0)
      return { headline: "Container state unknown", rest: sentences(settledWords, restWords(others, well), unseenCounts) };
    return {
      headline:
        settled > 0
          ? "Nothing new needs attention"
          : first === undefined
            ? `Nothing ${unseen === "" ? "" : "seen "}needs attention`
            : `Everything ${unseen === "" ? "is" : "seen is"} healthy: ${first}`,
      rest: sentences(settledWords, restWords(settled > 0 ? others : "Also", settled > 0 ? well : more), unseen),
    };
  }
  const count = countThings(open);
  return {
    headline: `${count.words} ${count.total === 1 ? "needs" : "need"} attention`,
    rest: sentences(settledWords, restWords(others, well), unseen),
  };
}

function sentences(...all: readonly string[]): string {
  return all.filter((each) => each !== "").join(" ");
}

function restWords(begin: string, parts: readonly string[]): string {
  return parts.length === 0 ? "" : `${begin}: ${parts.join(", ")}.`;
}

/** One thing with several troubles counts once. */
function countThings(attention: readonly Attention[]): { words: string; total: number } {
  const kinds = new Map<string, Set<string>>();
  for (const { type, id } of attention) {
    const kind = KINDS[type] ?? "other thing";
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(`${type} ${id}`));
  }
  const counted = [...kinds].toSorted(([one], [other]) => rank(one) - rank(other));
  return {
    words: joinWords(counted.map(([kind, things]) => countOf(things.size, kind))),
    total: counted.reduce((sum, [, things]) => sum + things.size, 0),
  };
}

function rank(kind: string): number {
  const at = ORDER.indexOf(kind);
  return at === -1 ? ORDER.length : at;
}

/** What is seen now. */
function seenOf(watched: Watched, isUnseen: IsUnseen): Watched {
  return {
    ...watched,
    containers: watched.containers.filter(({ agent_id }) => !isUnseen("container", agent_id)),
    endpoints: watched.endpoints.filter((endpoint) => !isUnseen("endpoint", endpoint.agent_id) && !isEndpointUnseen(endpoint)),
    certificates: watched.certificates.filter(({ agent_id }) => !isUnseen("certificate", agent_id)),
  };
}

/** `Not seen: 4 containers, 1 endpoint.` */
function unseenWords(watched: Watched, isUnseen: IsUnseen): string {
  const seen = seenOf(watched, isUnseen);
  const parts = (["containers", "endpoints", "certificates"] as const).flatMap((kind) => {
    const count = watched[kind].length - seen[kind].length;
    return count === 0 ? [] : [countOf(count, kind.slice(0, -1))];
  });
  return parts.length === 0 ? "" : `Not seen: ${parts.join(", ")}.`;
}

/** What is not known of hosts. */
function unknownWords({ containers }: Watched, hosts: readonly string[]): string {
  if (hosts.length === 0) return "";
  return containers.length === 0 ? "Container state is unknown." : `No containers seen yet on ${joinWords(hosts)}.`;
}

/** What is well, without what has an alert or shows a problem itself. */
function wellWords({ containers, endpoints, heartbeats, certificates }: Watched, troubled: ReadonlySet<string>): string[] {
  const calm = containers.filter(
    (container) =>
      !needsAttention(container) &&
      !troubled.has(`container ${container.id}`) &&
      !troubled.has(`kubernetes_workload ${container.external_id}`),
  );
  const running = calm.filter(({ state }) => state === "running").length;
  const up = endpoints.filter(({ active, paused, status }) => active && !paused && status === "up").length;
  const onTime = heartbeats.filter((one) => (one.status === "up" || one.status === "started") && !heartbeatNeedsAttention(one)).length;
  const valid = certificates.filter(({ status }) => status === "valid").length;
  return [
    calm.length > 0 ? `${countOf(running, "container")} running` : "",
    ...IDLE_WORDS.map(([state, word]) => [calm.filter((container) => container.state === state).length, word] as const).map(
      ([count, word]) => (count > 0 ? `${count} ${word}` : ""),
    ),
    up > 0 ? `${countOf(up, "endpoint")} up` : "",
    onTime > 0 ? `${countOf(onTime, "heartbeat")} on time` : "",
    valid > 0 ? `${countOf(valid, "certificate")} valid` : "",
  ].filter((part) => part !== "");
}
