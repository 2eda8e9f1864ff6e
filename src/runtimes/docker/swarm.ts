import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { SwarmTask, SwarmStanding } from "../../observations/swarm.ts";
import type { RuntimeSwarm, RuntimeSwarmService, SwarmSource } from "../runtime.ts";
import type { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { EngineAnswer, EngineClient } from "./client.ts";
import { connectionFailure, isSilence, refusal, unavailable } from "./failures.ts";
import { createLineSplitter } from "../line-splitter.ts";
import { ENGINE_ROUTES, type EngineRoute } from "./routes.ts";
import { isServiceError } from "../../platform/errors.ts";
import { infoAnswer, type NodeAnswer, nodeList, serviceAnswer, taskAnswer } from "./schemas.ts";
import { keptTasks, nodeOf, serviceOf, taskOf } from "./swarm-topology.ts";

/** What a manager shows, and what a socket proxy may deny. */
export const SWARM_ROUTES = ["services", "tasks", "nodes"] as const satisfies readonly EngineRoute[];

const MAX_EVENT_BYTES = 1024 * 1024;
const EVENT_FILTERS = JSON.stringify({ type: ["service", "node"] });

/** Managers choose another leader within seconds; only a swarm that cannot has lost its quorum. */
const ELECTION_MS = 20_000;

/** Which swarm it is, and which of its nodes this is. */
interface Membership {
  clusterId: string | null;
  nodeId: string | null;
}

const UNKNOWN: Membership = { clusterId: null, nodeId: null };

/** The swarm of an engine. `agree` agrees on an API version before anything is asked. */
export function createSwarmSource(
  client: Pick<EngineClient, "address" | "answer" | "list" | "probe" | "stream">,
  clock: Clock,
  agree: (signal: AbortSignal) => Promise<void>,
): SwarmSource {
  let known = UNKNOWN;
  /** By the last answer. Then it is not asked about itself first: without a quorum it takes its time to answer that. */
  let isManager = false;
  const services = createKept<RuntimeSwarmService>();
  const tasks = createKept<SwarmTask>();
  /** Since when it has had no leader, or has not answered at once. */
  let leaderlessMs: number | undefined;

  /** What the engine says of itself: undefined where a proxy denies that, and while a manager without a quorum does not answer. */
  async function readInfo(signal: AbortSignal): Promise<z.infer<typeof infoAnswer>["Swarm"]> {
    const answer = await client.answer(infoAnswer, { route: "info" }, signal).catch(() => undefined);
    signal.throwIfAborted();
    return answer !== undefined && "data" in answer ? answer.data.Swarm : undefined;
  }

  /** An engine that is no manager logs an error for each question about its swarm, so it is asked about itself. */
  async function standingBefore(signal: AbortSignal): Promise<RuntimeSwarm | undefined> {
    const info = await readInfo(signal);
    const standing = standingOf(info, false);
    if (info == null || standing === undefined || standing.standing === "manager") {
      known = { clusterId: info?.Cluster?.ID || known.clusterId, nodeId: info?.NodeID || known.nodeId };
      return undefined;
    }
    if (standing.standing === "unready") throw unavailable(client.address, standing.reason);
    if (standing.standing === "inactive") known = UNKNOWN;
    // A worker does not know which cluster it belongs to; what it knew as a manager still holds.
    known = { ...known, nodeId: info.NodeID || known.nodeId };
    return { ...standing, ...known, leader: false, topology: null };
  }

  /** A manager whose leader is gone does not answer, or says that there is none. Throws until that has lasted, and the engine says so itself. */
  async function readNodes(signal: AbortSignal): Promise<EngineAnswer<NodeAnswer[]>> {
    const answer = await client.answer(nodeList, { route: "nodes" }, signal).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (!isSilence(error)) throw error;
      // An engine that answers nothing at all is away, and its swarm is not the question.
      await client.probe({ route: "ping" }, signal);
      return undefined;
    });
    const isLeaderless =
      answer === undefined || ("refused" in answer && refusalOf(answer.refused.status, answer.refused.message)?.standing === "no_quorum");
    const nowMs = clock.monotonicMs();
    leaderlessMs = isLeaderless ? (leaderlessMs ?? nowMs) : undefined;
    if (leaderlessMs !== undefined && nowMs - leaderlessMs < ELECTION_MS)
      throw unavailable(client.address, "its swarm has no leader at the moment. It is asked again.");
    return answer ?? client.answer(nodeList, { route: "nodesAtLeisure" }, signal);
  }

  return {
    async read(signal) {
      await agree(signal);
      const before = isManager ? undefined : await standingBefore(signal);
      if (before !== undefined) return before;
      const nodes = await readNodes(signal);
      if ("refused" in nodes) return refused(nodes.refused);
      const [listedServices, listedTasks] = await Promise.all([
        client.list(serviceAnswer, { route: "services" }, { ...services.by(serviceOf), signal }),
        client.list(taskAnswer, { route: "tasks" }, { ...tasks.by(taskOf), signal }),
      ]);
      if ("refused" in listedServices) return refused(listedServices.refused);
      if ("refused" in listedTasks) return refused(listedTasks.refused);
      isManager = known.clusterId !== null;
      const topology = {
        services: services.keep(listedServices.data),
        tasks: tasks.keep(keptTasks(listedTasks.data, listedServices.data)),
        nodes: nodes.data.map(nodeOf),
      };
      const leader = topology.nodes.some(({ id, manager }) => id === known.nodeId && manager?.leader === true);
      return { standing: "manager", ...known, leader, reason: null, topology };

      async function refused({ status, message }: { status: number; message: string }): Promise<RuntimeSwarm> {
        const why = refusalOf(status, message);
        isManager &&= why?.standing === "no_quorum";
        if (why === undefined) throw refusal(client.address, ENGINE_ROUTES.nodes.path, status, message);
        // One whose part of the swarm has failed says the same as one that has left.
        const earlier = why.standing === "inactive" ? await standingBefore(signal) : undefined;
        if (earlier !== undefined) return earlier;
        return { ...why, ...known, leader: false, topology: null };
      }
    },
    async *changes(signal) {
      await agree(signal);
      const lines = createLineSplitter(MAX_EVENT_BYTES);
      try {
        const stream = await client.stream({ route: "events", query: { filters: EVENT_FILTERS } }, { signal, timeoutMs: 0 });
        for await (const chunk of stream as AsyncIterable<Buffer>) if (lines.push(chunk).length > 0) yield;
      } catch (error) {
        throw isServiceError(error) ? error : connectionFailure(client.address, error);
      }
      throw unavailable(client.address, "the engine ended the event stream. It may be restarting; it is tried again.");
    },
  };
}

/** What was listed last. Most of it stays as it is: what has the same text is not read again, and one object for each spares memory and comparisons. */
function createKept<Item extends { id: string }>() {
  let kept = new Map<string, Item>();
  /** By digest of their texts; those of this listing, and of the last. */
  let [texts, textsBefore] = [new Map<string, Item>(), new Map<string, Item>()];

  /** The object of before where nothing differs. */
  function same(item: Item | undefined): Item | undefined {
    const known = item && kept.get(item.id);
    return isDeepStrictEqual(item, known) ? known : item;
  }

  return {
    /** To be given to one listing, whose items are then kept. */
    by<Answer>(read: (answer: Answer) => Item | undefined) {
      texts = new Map();
      return {
        recall(text: string): Item | undefined {
          const digest = digestOf(text);
          const known = textsBefore.get(digest);
          if (known !== undefined) texts.set(digest, known);
          return known;
        },
        keep(answer: Answer, text: string): Item | undefined {
          const item = same(read(answer));
          if (item !== undefined) texts.set(digestOf(text), item);
          return item;
        },
      };
    },
    keep(items: Item[]): Item[] {
      kept = new Map(items.map((item) => [item.id, item]));
      textsBefore = texts;
      return items;
    },
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** Why an engine does not show its swarm, and what to do. */
interface Refusal {
  standing: Exclude<SwarmStanding, "manager">;
  reason: string;
}

/**
 * What it means that an engine does not answer for the swarm; undefined when it says nothing of the swarm. Engines have no code for it, so their
 * words are read: those of Docker 20.10 to 28.
 */
function refusalOf(status: number, message: string): Refusal | undefined {
  if (status === 401 || status === 403 || status === 405) return DENIED;
  if (/needs to be unlocked/i.test(message)) return LOCKED;
  if (/worker nodes can't be used/i.test(message)) return WORKER;
  // It begins like the words of one that has left.
  if (/manager is being prepared/i.test(message)) return undefined;
  // It is one that has left, or that was never in one.
  if (/not a swarm manager|not part of a swarm/i.test(message) || status === 404) return INACTIVE;
  if (/does not have a leader|too few managers|deadline ?exceeded|no elected primary|raft/i.test(message)) return NO_QUORUM;
  return undefined;
}

/** The same by what an engine says of itself; undefined where it says nothing of swarms. */
export function standingOf(
  swarm: { LocalNodeState: string; ControlAvailable: boolean; Error: string } | null | undefined,
  isDenied: boolean,
): Refusal | { standing: "manager"; reason: null } | { standing: "unready"; reason: string } | undefined {
  if (swarm == null) return undefined;
  if (swarm.ControlAvailable) return isDenied ? DENIED : { standing: "manager", reason: null };
  switch (swarm.LocalNodeState) {
    case "locked":
      return LOCKED;
    case "active":
      return WORKER;
    case "pending":
    case "error":
      return { standing: "unready", reason: unready(swarm) };
    default:
      return INACTIVE;
  }
}

/** It is part of a swarm that it has no touch with: `pending` at its start, `error` when its part has failed and is tried again. */
function unready({ LocalNodeState, Error: error }: { LocalNodeState: string; Error: string }): string {
  const cause = error === "" ? "" : `: ${error}`;
  return `The engine's part of its swarm is ${LocalNodeState === "error" ? "in error" : "not ready"}${cause}. See the engine's log.`;
}

const DENIED: Refusal = {
  standing: "denied",
  reason:
    "GET /services, /tasks and /nodes are denied, so services of the swarm are not seen. Allow them in the socket proxy (often SERVICES=1, TASKS=1 and NODES=1).",
};
const LOCKED: Refusal = {
  standing: "locked",
  reason: "The swarm is locked on this manager since its engine restarted. Run `docker swarm unlock` there and give the unlock key.",
};
const WORKER: Refusal = {
  standing: "worker",
  reason:
    "This engine is a worker, which cannot see the services of its swarm. Watch a manager, or promote this node with `docker node promote`.",
};
const INACTIVE: Refusal = {
  standing: "inactive",
  reason: "This engine is not part of a swarm. Start one with `docker swarm init`, or join one with `docker swarm join`.",
};
const NO_QUORUM: Refusal = {
  standing: "no_quorum",
  reason:
    "The swarm has no leader: too few of its managers are reachable for a quorum. Bring managers back, or run `docker swarm init --force-new-cluster` on one that is left.",
};
