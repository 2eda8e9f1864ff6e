import type { EndpointCheck } from "../../observations.ts";
import { connectFirst } from "../peers/connect.ts";
import type { Peer } from "../peers/failure.ts";
import { failureOf, type Learned, NOTHING_LEARNED, type Outcome, type ProbeParts, successOf, startDeadline } from "./probe.ts";

/** Connects and closes again; the response time is that of the lookup and the connection. Throws only the signal's reason. */
export async function probeTcp({ target, timeoutMs }: EndpointCheck, parts: ProbeParts, signal: AbortSignal): Promise<Outcome> {
  const { clock, resolver, guard } = parts;
  const learned: Learned = { ...NOTHING_LEARNED };
  const peer = peerOf(target);
  const deadline = startDeadline(clock, timeoutMs, signal);
  const startedMs = clock.monotonicMs();
  try {
    deadline.enter("resolve", peer);
    const addresses = await resolver.resolve(peer.host, deadline.signal);
    deadline.enter("connect", peer);
    const socket = await connectFirst(addresses, peer, { clock, guard, signal: deadline.signal });
    learned.responseTimeMs = clock.monotonicMs() - startedMs;
    learned.address = socket.remoteAddress ?? null;
    socket.destroy();
    return successOf(learned);
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(learned, error);
  } finally {
    deadline.clear();
  }
}

/** Of `host:port` or `[address]:port`. */
export function peerOf(target: string): Peer {
  const colon = target.lastIndexOf(":");
  return { host: target.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(target.slice(colon + 1)) };
}
