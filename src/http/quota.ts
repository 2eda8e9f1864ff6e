import { canonicalAddress, isLoopback, quotaKey, type TrustedProxies } from "./client-address.ts";

/** Counts open requests, in all and by address. Who comes over loopback or is a trusted proxy carries many agents, and counts only in all. */
export interface Quota {
  /** How to give the place back, once; undefined when there is none left. */
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
