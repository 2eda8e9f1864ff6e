import { readFileSync } from "node:fs";
import { BlockList, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { FailureClass } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AddressGuard } from "../peers/address-guard.ts";
import { connectFirst } from "../peers/connect.ts";
import { type Peer, PeerError } from "../peers/failure.ts";
import type { Resolver } from "../peers/resolver.ts";

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

/** What speaks for a failure being this host's own. */
export interface CutOffEvidence {
  failureClass: FailureClass | null;
  /** Whether the endpoint that failed answered lately; what never did may be wrong by itself. */
  answeredLately: boolean;
  /** Loopback, or in a network that this host is part of, such as its containers'. */
  isNear: boolean;
  /** An interface that leads out of the host is up. */
  interfaceUp: boolean;
  /** null when it cannot be known. */
  defaultRoute: boolean | null;
  /** Plain connections to other hosts that answered lately and are not near: even a refusal means that the network carries. */
  others: { tried: number; reached: number };
  /** Lookups of other names that were found lately: even "not found" means that the resolver answers. */
  names: { tried: number; answered: number };
}

/**
 * Whether a failed check says nothing of its endpoint, because this host itself has no network or no resolver. Conservative: a single broken
 * endpoint is never excused, and neither is what is near. Source: specification, Endpoint checks.
 */
export function isCutOff(evidence: CutOffEvidence): boolean {
  const { failureClass, answeredLately, isNear, interfaceUp, defaultRoute, others, names } = evidence;
  if (isNear || !answeredLately) return false;
  if (failureClass !== "dns" && failureClass !== "connect" && failureClass !== "timeout") return false;
  const resolverIsSilent = names.tried > 0 && names.answered === 0;
  const othersAreSilent = others.tried > 0 && others.reached === 0;
  const hasNoWayOut = !interfaceUp || defaultRoute === false;
  return (failureClass === "dns" && resolverIsSilent) || (othersAreSilent && (hasNoWayOut || resolverIsSilent));
}

/** How this host is connected at the moment. */
export interface HostNetwork {
  /** An interface that leads out of the host is up and has an address. */
  interfaceUp: boolean;
  /** null when the system does not show its routes. */
  defaultRoute: boolean | null;
  /** Loopback, or in a network that this host is part of. */
  isNear(address: string): boolean;
}

/** Bridges and pairs that container runtimes and virtual machines make; they are up whether the host is connected or not. */
const INNER_INTERFACES = /^(?:docker|br-|veth|virbr|vmnet|cni|flannel|cali|cilium|podman|lxc|lxd|kube|nerdctl)/;

export function readHostNetwork(): HostNetwork {
  const near = new BlockList();
  near.addSubnet("127.0.0.0", 8, "ipv4");
  near.addAddress("::1", "ipv6");
  let interfaceUp = false;
  for (const [name, addresses = []] of Object.entries(networkInterfaces())) {
    for (const { internal, cidr, family, address } of addresses) {
      const isLinkLocal = address.startsWith("fe80:") || address.startsWith("169.254.");
      if (!internal && !isLinkLocal && !INNER_INTERFACES.test(name)) interfaceUp = true;
      const [network, prefix] = cidr?.split("/") ?? [];
      if (network !== undefined) near.addSubnet(network, Number(prefix), family === "IPv6" ? "ipv6" : "ipv4");
    }
  }
  return { interfaceUp, defaultRoute: hasDefaultRoute(), isNear: (address) => near.check(address, isIPv6(address) ? "ipv6" : "ipv4") };
}

/** Of either family, as Linux shows it; a route through loopback is one that refuses. Source: proc(5), /proc/net/route. */
function hasDefaultRoute(): boolean | null {
  try {
    const ipv4 = linesOf("/proc/self/net/route").some(
      ([, destination, , , , , , mask]) => destination === "00000000" && mask === "00000000",
    );
    return (
      ipv4 ||
      linesOf("/proc/self/net/ipv6_route").some(([destination, prefix, , , , , , , , name]) => {
        return destination === "0".repeat(32) && prefix === "00" && name !== "lo";
      })
    );
  } catch {
    return null;
  }
}

function linesOf(path: string): string[][] {
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}
