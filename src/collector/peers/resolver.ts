import { Resolver as NameServers, lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { lookupError, abortable } from "./failure.ts";

/** More addresses than this are never tried. */
const MAX_ADDRESSES = 8;
/** A name that took longer was slow, and waits apart from the others next time. */
const SLOW_MS = 1_000;
/** As many lookups as Node's thread pool runs at once; a third would only wait there, unseen. */
const AT_ONCE = 2;
const MAX_SLOW_NAMES = 10_000;

/** Finds addresses of names as this host's own programs do: hosts file, search domains and all. */
export interface Resolver {
  /** At least one address, families by turns. Throws a PeerError. Aborting ends the wait, not the lookup. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
}

export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

interface ResolverParts {
  clock: Clock;
  /** By the system, as this host's programs do. */
  lookup?: Lookup;
  /** By the name servers alone: neither the hosts file nor search domains count. */
  query?: Lookup;
}

/**
 * Lookups block a thread each, and there are few: the same name is looked up once for all who ask at the same time, and names that were slow
 * the last time get one thread alone, so that dead name servers cannot hold up the names that are well. While such a name waits behind others
 * of its kind, the name servers are asked without a thread: it may have been slow only once.
 */
export function createResolver({ clock, lookup = lookupAll, query = queryAll }: ResolverParts): Resolver {
  const underWay = new Map<string, Promise<string[]>>();
  const slowNames = new Set<string>();
  const waiting: Waiting[] = [];
  const running = { all: 0, slow: 0 };

  function admit(): void {
    while (running.all < AT_ONCE) {
      const index = waiting.findIndex(({ isSlow }) => !isSlow || running.slow === 0);
      if (index < 0) return;
      waiting.splice(index, 1)[0]?.begin();
    }
  }

  async function lookUp(host: string): Promise<string[]> {
    const isSlow = slowNames.has(host);
    const turn = Promise.withResolvers<void>();
    const place: Waiting = {
      isSlow,
      begin() {
        running.all += 1;
        running.slow += isSlow ? 1 : 0;
        turn.resolve();
      },
    };
    waiting.push(place);
    admit();
    if (!waiting.includes(place)) return lookUpNow(host, isSlow);
    const inTurn = turn.promise.then(() => lookUpNow(host, isSlow));
    return isSlow ? firstOf(inTurn, askNameServers(host, place)) : inTurn;
  }

  /** Throws when they know no address, or it is not needed any more. */
  async function askNameServers(host: string, place: Waiting): Promise<string[]> {
    const addresses = byTurns(await query(host));
    const index = waiting.indexOf(place);
    if (index < 0) throw new Error("its turn came first");
    waiting.splice(index, 1);
    underWay.delete(host);
    return addresses;
  }

  async function lookUpNow(host: string, isSlow: boolean): Promise<string[]> {
    const startedMs = clock.monotonicMs();
    try {
      return byTurns(await lookup(host));
    } catch (error) {
      throw lookupError(host, error);
    } finally {
      if (clock.monotonicMs() - startedMs < SLOW_MS) slowNames.delete(host);
      else if (slowNames.size < MAX_SLOW_NAMES) slowNames.add(host);
      underWay.delete(host);
      running.all -= 1;
      running.slow -= isSlow ? 1 : 0;
      admit();
    }
  }

  return {
    async resolve(host, signal) {
      if (isIP(host) !== 0) return [host];
      const mine = underWay.get(host) ?? lookUp(host);
      underWay.set(host, mine);
      return await abortable(mine, signal);
    },
  };
}

interface Waiting {
  isSlow: boolean;
  begin: () => void;
}

/** Whichever answers; the failure of the first when both fail. */
async function firstOf(decisive: Promise<string[]>, other: Promise<string[]>): Promise<string[]> {
  return Promise.any([decisive, other]).catch(() => decisive);
}

/** The families by turns, in the order of the system's preference. Source: RFC 8305, section 4. */
function byTurns(found: readonly { address: string; family: number }[]): string[] {
  const first = found.filter(({ family }) => family === found[0]?.family).slice(0, MAX_ADDRESSES);
  const second = found.filter(({ family }) => family !== found[0]?.family).slice(0, MAX_ADDRESSES);
  const addresses: string[] = [];
  for (let index = 0; index < MAX_ADDRESSES; index += 1)
    for (const each of [first[index], second[index]]) if (each !== undefined) addresses.push(each.address);
  if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENODATA" });
  return addresses.slice(0, MAX_ADDRESSES);
}

/** One try of two seconds at each name server: the lookup in turn is the thorough one. */
async function queryAll(host: string): Promise<{ address: string; family: number }[]> {
  const servers = new NameServers({ timeout: 2_000, tries: 1 });
  const [four, six] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  const found = (answer: PromiseSettledResult<string[]>, family: number): { address: string; family: number }[] =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(four, 4), ...found(six, 6)];
}

function lookupAll(host: string): Promise<{ address: string; family: number }[]> {
  return systemLookup(host, { all: true, order: "verbatim" });
}
