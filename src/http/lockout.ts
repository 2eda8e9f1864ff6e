import { createHmac, randomBytes } from "node:crypto";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/time.ts";
import type { Clock } from "../platform/clock.ts";
import { quotaKey } from "./client-address.ts";

/** The state of an address after a wrong token. */
export interface WrongToken {
  /** Whether it differs from the tokens that this address sent recently. */
  isGuess: boolean;
  /** How many different wrong tokens came from this address. */
  guesses: number;
  /** How many wrong tokens came in all, including repeated ones. */
  attempts: number;
  /** How long the address is locked out from now; 0 when it is not. */
  waitSeconds: number;
}

/** Locks out addresses that sent too many wrong admin tokens: their tokens are not compared for a while. */
export interface Lockout {
  /** Seconds until tokens from this address are compared again; 0 when they are compared now. */
  secondsLeft(clientAddress: string): number;
  refuse(clientAddress: string, token: string): WrongToken;
  /** After a right token: forgets the wrong ones before it. */
  forgive(clientAddress: string): void;
}

export const LOCKOUT = {
  /** How many wrong tokens are free of a wait. */
  guesses: 10,
  firstWaitMs: MINUTE_MS,
  longestWaitMs: HOUR_MS,
  /** An address is forgotten this long after its last wrong token. */
  rememberedMs: DAY_MS,
  /** How many tokens of one address are remembered: a program with an outdated token sends the same one forever, which is no guess. */
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

/** The wait doubles with each further guess. Addresses are grouped as for quotas: a /32, or a /64 of IPv6. */
export function createLockout({ clock, most = LOCKOUT.addresses }: { clock: Clock; most?: number }): Lockout {
  const records = new Map<string, Record>();
  // Tokens are kept as digests that mean nothing outside of this process.
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
      // Inserted again, so that the first entry is the address whose last guess is the oldest.
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
