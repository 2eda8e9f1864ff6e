import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { abortable } from "./abortable.ts";
import { lookupError } from "./failure.ts";

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

/**
 * Lookups block a thread each, and there are few: the same name is looked up once for all who ask at the same time, and names that were slow
 * the last time get one thread alone, so that dead name servers cannot hold up the names that are well.
 */
export function createResolver({ clock, lookup = lookupAll }: { clock: Clock; lookup?: Lookup }): Resolver {
  const underWay = new Map<string, Promise<string[]>>();
  const slowNames = new Set<string>();
  const waiting: { isSlow: boolean; begin: () => void }[] = [];
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
    await new Promise<void>((begin) => {
      waiting.push({
        isSlow,
        begin() {
          running.all += 1;
          running.slow += isSlow ? 1 : 0;
          begin();
        },
      });
      admit();
    });
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

function lookupAll(host: string): Promise<{ address: string; family: number }[]> {
  return systemLookup(host, { all: true, order: "verbatim" });
}
