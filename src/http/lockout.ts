import { createHmac, randomBytes } from "node:crypto";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/time.ts";
import type { Clock } from "../platform/clock.ts";
import { quotaKey } from "./client-address.ts";

/** What became of a wrong token. */
export interface WrongToken {
  /** Not one of those that came lately from this address. */
  isGuess: boolean;
  /** How many different ones came from this address. */
  guesses: number;
  /** How many in all, the same one over and over included. */
  attempts: number;
  /** How long the address is locked out from now; 0: not at all. */
  waitSeconds: number;
}

/** Which addresses sent so many wrong admin tokens that none of theirs is compared for a while. */
export interface Lockout {
  /** Seconds until tokens from this address are compared again; 0: they are. */
  secondsLeft(clientAddress: string): number;
  refuse(clientAddress: string, token: string): WrongToken;
  /** A right one came: what was wrong before is forgotten. */
  forgive(clientAddress: string): void;
}

export const LOCKOUT = {
  /** Wrong ones before the first wait. */
  guesses: 10,
  firstWaitMs: MINUTE_MS,
  longestWaitMs: HOUR_MS,
  /** An address is forgotten so long after its last wrong one. */
  rememberedMs: DAY_MS,
  /** Of one address: a program with an outdated token sends the same one forever, which is no guess. */
  rememberedTokens: 4,
  addresses: 10_000,
} as const;

interface Record {
  guesses: number;
  attempts: number;
  lockedUntilMs: number;
  lastAtMs: number;
  tokens: readonly string[];
}

/** Waits double with each further guess. An address counts as quotas count it: a /32, or a /64 of IPv6. */
export function createLockout({ clock, most = LOCKOUT.addresses }: { clock: Clock; most?: number }): Lockout {
  const records = new Map<string, Record>();
  // What was tried is kept as digests that say nothing outside of this process.
  const key = randomBytes(32);

  function recordOf(address: string): Record | undefined {
    const record = records.get(address);
    return record !== undefined && clock.monotonicMs() - record.lastAtMs < LOCKOUT.rememberedMs ? record : undefined;
  }

  function waitMsAfter(guesses: number): number {
    return guesses < LOCKOUT.guesses ? 0 : Math.min(LOCKOUT.longestWaitMs, LOCKOUT.firstWaitMs * 2 ** (guesses - LOCKOUT.guesses));
  }

  return {
    secondsLeft(clientAddress) {
      const lockedUntilMs = recordOf(quotaKey(clientAddress))?.lockedUntilMs ?? 0;
      return Math.max(0, Math.ceil((lockedUntilMs - clock.monotonicMs()) / 1000));
    },
    refuse(clientAddress, token) {
      const address = quotaKey(clientAddress);
      const nowMs = clock.monotonicMs();
      const known = recordOf(address) ?? { guesses: 0, attempts: 0, lockedUntilMs: 0, lastAtMs: nowMs, tokens: [] };
      const digest = createHmac("sha256", key).update(token).digest("base64url");
      const isGuess = !known.tokens.includes(digest);
      const guesses = known.guesses + (isGuess ? 1 : 0);
      const waitMs = isGuess ? waitMsAfter(guesses) : 0;
      // Inserted again, so that the first of the map is the one without a guess for the longest time.
      records.delete(address);
      records.set(address, {
        guesses,
        attempts: known.attempts + 1,
        lockedUntilMs: nowMs + waitMs,
        lastAtMs: nowMs,
        tokens: isGuess ? [digest, ...known.tokens].slice(0, LOCKOUT.rememberedTokens) : known.tokens,
      });
      for (const oldest of records.keys()) {
        if (records.size <= most) break;
        records.delete(oldest);
      }
      return { isGuess, guesses, attempts: known.attempts + 1, waitSeconds: waitMs / 1000 };
    },
    forgive: (clientAddress) => void records.delete(quotaKey(clientAddress)),
  };
}
