import { canonicalAddress, isLoopback, quotaKey, type TrustedProxies } from "./client-address.ts";

/** Counts open requests, in all and by address. Connections over loopback or from a trusted proxy carry many agents, so they count only in all. */
export interface Quota {
  /** Takes a place. The answer gives it back, once; undefined when none is left. */
  enter(address: string): (() => void) | undefined;
  count(): number;
}

export function createQuota(limits: { total: number; perAddress: number }, proxies: TrustedProxies): Quota {
  const counts = new Map<string, number>();
  let total = 0;

  function change(key: string, by: 1 | -1): void {
    total += by;
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }

  return {
    count: () => total,
    enter(from) {
      const address = canonicalAddress(from) ?? from;
      const key = quotaKey(address);
      const isShared = isLoopback(address) || proxies.includes(address);
      if (total >= limits.total) return undefined;
      if (!isShared && (counts.get(key) ?? 0) >= limits.perAddress) return undefined;
      change(key, 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        change(key, -1);
      };
    },
  };
}
