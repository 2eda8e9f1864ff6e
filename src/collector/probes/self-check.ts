import type { FailureClass } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AddressGuard } from "../peers/address-guard.ts";
import { connectFirst } from "../peers/connect.ts";
import { type Peer, PeerError } from "../peers/failure.ts";
import type { Resolver } from "../peers/resolver.ts";
import { type CutOffEvidence, isCutOff } from "./cut-off.ts";
import type { HostNetwork } from "./host-network.ts";

/** An endpoint as the self-check sees it. */
export interface KnownPeer {
  peer: Peer;
  /** Where it was connected to the last time; null when it never was. */
  address: string | null;
  /** When it last succeeded, on the monotonic clock; null when it never did. */
  succeededMs: number | null;
}

export interface SelfCheckParts {
  clock: Clock;
  resolver: Resolver;
  guard: AddressGuard;
  readNetwork: () => HostNetwork;
  connect?: typeof connectFirst;
  /** All endpoints, to choose those from that are asked for a second opinion. */
  peers: () => Iterable<KnownPeer>;
}

/** Finds out whether a failure is this host's own: without a network or a resolver, checks say nothing of what they check. */
export interface SelfCheck {
  excuses(failed: KnownPeer, failureClass: FailureClass | null): Promise<boolean>;
}

/** What is learned in one investigation is good for all failures of so long. */
const VALID_MS = 3_000;
const ASK_WITHIN_MS = 3_000;
const LATELY_MS = 15 * 60_000;
const OPINIONS = 4;

/** What others say: whether the network carried a connection there, and whether the resolver answered for its name (null without one). */
interface Opinion {
  host: string;
  reached: boolean;
  named: boolean | null;
}

export function createSelfCheck({ clock, resolver, guard, readNetwork, connect = connectFirst, peers }: SelfCheckParts): SelfCheck {
  let latest: { sinceMs: number; opinions: Promise<Opinion[]> } | undefined;
  /** Since when, and when last, this host was found to be cut off. */
  let cutOff: { sinceMs: number; lastMs: number } | undefined;

  /** What was found long ago says nothing of now. */
  function cutOffSinceMs(): number | undefined {
    return cutOff !== undefined && clock.monotonicMs() - cutOff.lastMs < LATELY_MS ? cutOff.sinceMs : undefined;
  }

  /** While this host is cut off nobody can answer: what had answered lately when that began stays so. */
  function hasAnsweredLately(known: KnownPeer): known is KnownPeer & { address: string; succeededMs: number } {
    const atMs = cutOffSinceMs() ?? clock.monotonicMs();
    return known.succeededMs !== null && known.address !== null && atMs - known.succeededMs < LATELY_MS;
  }

  function remember(isExcused: boolean, { others, names }: CutOffEvidence): void {
    const nowMs = clock.monotonicMs();
    if (isExcused) cutOff = { sinceMs: cutOffSinceMs() ?? nowMs, lastMs: nowMs };
    else if (others.reached > 0 && (names.tried === 0 || names.answered > 0)) cutOff = undefined;
  }

  /** Of those far hosts that answered most lately. */
  function opinionsOf(network: HostNetwork): Promise<Opinion[]> {
    if (latest !== undefined && clock.monotonicMs() - latest.sinceMs < VALID_MS) return latest.opinions;
    const known = [...peers()].filter(hasAnsweredLately).filter(({ address }) => !network.isNear(address));
    const latestFirst = known.toSorted((one, other) => other.succeededMs - one.succeededMs);
    const asked = new Map<string, (typeof known)[number]>();
    for (const each of latestFirst) if (asked.size < OPINIONS && !asked.has(each.peer.host)) asked.set(each.peer.host, each);
    latest = { sinceMs: clock.monotonicMs(), opinions: Promise.all([...asked.values()].map(ask)) };
    return latest.opinions;
  }

  async function ask({ peer, address }: { peer: Peer; address: string }): Promise<Opinion> {
    const ending = new AbortController();
    const timer = clock.after(ASK_WITHIN_MS, () => ending.abort(new PeerError("timeout", "no answer")));
    const { signal } = ending;
    try {
      const [reached, named] = await Promise.all([
        connect([address], peer, { clock, guard, signal }).then((socket) => (socket.destroy(), true), isRefusal),
        address === peer.host ? null : resolver.resolve(peer.host, signal).then(() => true, isRefusal),
      ]);
      return { host: peer.host, reached, named };
    } finally {
      timer.cancel();
    }
  }

  return {
    async excuses(failed, failureClass) {
      if (!hasAnsweredLately(failed)) return false;
      const network = readNetwork();
      const isNear = network.isNear(failed.address);
      const mayBeOurs = failureClass === "dns" || failureClass === "connect" || failureClass === "timeout";
      if (isNear || !mayBeOurs) return false;
      const opinions = (await opinionsOf(network)).filter(({ host }) => host !== failed.peer.host);
      const named = opinions.filter((each) => each.named !== null);
      const evidence: CutOffEvidence = {
        failureClass,
        answeredLately: true,
        isNear,
        interfaceUp: network.interfaceUp,
        defaultRoute: network.defaultRoute,
        others: { tried: opinions.length, reached: opinions.filter(({ reached }) => reached).length },
        names: { tried: named.length, answered: named.filter((each) => each.named === true).length },
      };
      const isExcused = isCutOff(evidence);
      remember(isExcused, evidence);
      return isExcused;
    },
  };
}

/** A refused connection, or the answer that there is no such name. */
function isRefusal(error: unknown): boolean {
  return error instanceof PeerError && error.isRefusal;
}
