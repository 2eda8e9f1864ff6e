import { isDeepStrictEqual } from "node:util";
import type { CheckResult, EndpointCheck } from "../../observations.ts";
import type { Peer } from "../peers/failure.ts";
import { FIRST_RHYTHM, type Rhythm } from "./rhythm.ts";
import type { Turn } from "./schedule.ts";
import type { KnownPeer } from "./self-check.ts";
import { peerOf } from "./tcp-probe.ts";

/** What a check showed that began at `at`. */
export interface Checked {
  at: Date;
  result: CheckResult;
}

/** One endpoint that is checked, and all that is remembered of it: plain data, since there may be ten thousand. */
export interface Watched extends Turn, KnownPeer {
  key: string;
  check: EndpointCheck;
  rhythm: Rhythm;
  /** From where the beats of its interval are counted. */
  beatMs: number;
  /** The check under way; its promise resolves to null when it was called off, and never rejects. */
  underWay: { checked: Promise<Checked | null>; ending: AbortController } | undefined;
  isRemoved: boolean;
}

export function createWatched(key: string, check: EndpointCheck): Watched {
  const peer = peerOfCheck(check);
  return {
    key,
    check,
    peer,
    host: peer.host,
    address: null,
    succeededMs: null,
    dueMs: 0,
    place: -1,
    rhythm: FIRST_RHYTHM,
    beatMs: 0,
    underWay: undefined,
    isRemoved: false,
  };
}

export function isSameCheck(one: EndpointCheck, other: EndpointCheck): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

function peerOfCheck({ type, target }: EndpointCheck): Peer {
  if (type === "tcp") return peerOf(target);
  const url = URL.parse(target);
  const port = Number(url?.port || (url?.protocol === "https:" ? 443 : 80));
  return { host: (url?.hostname ?? target).replace(/^\[|\]$/g, ""), port };
}
