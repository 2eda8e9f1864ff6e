import type { StripState } from "../../../src/contract/strip.ts";
import { DAY_MS } from "../../../src/contract/time.ts";
import { joinWords } from "../../../src/contract/words.ts";
import type { Moment, MomentCertificate, MomentEndpoint } from "../../../src/publishing/overview/moment/answers.ts";
import { CERTIFICATE_WORDS, daysWords } from "../format/certificate-status.ts";
import { reasonWords } from "../format/endpoint-status.ts";
import { countOf } from "../format/number.ts";
import type { ContainerStatus } from "../format/status-facts.ts";

export type CheckedKind = "endpoints" | "heartbeats" | "certificates";

/** An endpoint, a heartbeat or a certificate as it was at a moment. */
export interface PastThing {
  id: number;
  name: string;
  /** undefined: it belongs to no host. */
  agent_id?: string | null;
  /** What is checked, where that is not its name. */
  target?: string;
  status: ContainerStatus;
  /** Of the last check or ping until then. */
  lastAt: string | null;
  knownSince: string | null;
  /** undefined: it was not paused then. */
  pausedSince?: string | undefined;
  /** Of the certificate that was seen last until then; undefined where none was, or it is none. */
  expiresAt?: string | undefined;
  /** What was wrong with a certificate. */
  message?: string | undefined;
}

const WORDS: Readonly<Record<StripState, Pick<ContainerStatus, "status" | "word">>> = {
  up: { status: "ok", word: "Up" },
  degraded: { status: "degraded", word: "Degraded" },
  down: { status: "down", word: "Down" },
  stopped: { status: "idle", word: "Paused" },
  unknown: { status: "idle", word: "Not known" },
};

/** Those of a kind, in the order of the moment: the worst first. */
export function pastThings(moment: Moment, kind: CheckedKind): PastThing[] {
  const { at } = moment;
  switch (kind) {
    case "endpoints":
      return moment.endpoints.items.map((item) => {
        const { id, name, agent_id, target, status, last_check_at: lastAt, known_since: knownSince } = item;
        const cause = status === "unknown" ? whyUnknown({ at, lastAt, knownSince }, "check") : endpointCause(item);
        const pausedSince = item.paused_since ?? undefined;
        return {
          ...{ id, name, agent_id, target, lastAt, knownSince, pausedSince },
          status: { ...WORDS[status], cause, since: undefined },
        };
      });
    case "heartbeats":
      return moment.heartbeats.items.map(({ id, name, status, paused_since, last_ping_at: lastAt, known_since: knownSince }) => {
        const cause = status === "unknown" ? whyUnknown({ at, lastAt, knownSince }, "ping") : undefined;
        const pausedSince = paused_since ?? undefined;
        return { ...{ id, name, lastAt, knownSince, pausedSince }, status: { ...WORDS[status], cause, since: undefined } };
      });
    case "certificates":
      return moment.certificates.items.map((item) => {
        const { id, name, agent_id, status, message, expires_at, last_check_at: lastAt, known_since: knownSince } = item;
        const shown =
          status === "unknown"
            ? { ...WORDS.unknown, cause: whyUnknown({ at, lastAt, knownSince }, "check") }
            : { ...CERTIFICATE_WORDS[status], cause: certificateCause(item, at) };
        const facts = { expiresAt: expires_at ?? undefined, message: message ?? undefined };
        return { ...{ id, name, agent_id, lastAt, knownSince, ...facts }, status: { ...shown, since: undefined } };
      });
  }
}

function endpointCause({ status, error, status_reason: reason }: MomentEndpoint): string | undefined {
  return status === "down" ? (error ?? undefined) : reasonWords(reason);
}

/** Of what can be counted in days that says more than a sentence. */
function certificateCause({ status, message, expires_at: expiresAt }: MomentCertificate, at: string): string | undefined {
  if (status === "unreachable" || status === "chain_invalid") return message ?? undefined;
  return daysWords(expiresAt === null ? null : Math.floor((Date.parse(expiresAt) - Date.parse(at)) / DAY_MS));
}

/** Whether it was down, or degraded: what the overview counts. */
export function wasInTrouble({ status: { status } }: PastThing): boolean {
  return status === "down" || status === "degraded";
}

/** Why nothing is known of one at a moment: none is kept, or none spoke for it. */
function whyUnknown(
  { at, lastAt, knownSince }: { at: string; lastAt: string | null; knownSince: string | null },
  what: "check" | "ping",
): string {
  if (knownSince === null) return `no ${what} is kept`;
  if (Date.parse(at) < Date.parse(knownSince)) return `no ${what} before then is kept`;
  return lastAt === null ? `no ${what} until then` : `no ${what} in time`;
}

/** How those of a kind were, in a sentence. */
export function checkedHeadline({ endpoints, heartbeats, certificates }: Moment, kind: CheckedKind): string {
  const counts: Readonly<Record<string, number>> = { endpoints, heartbeats, certificates }[kind].counts;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return "None then";
  const bad = Object.entries(counts).filter(([status, count]) => count > 0 && !WELL.has(status));
  if (bad.length === 0) return `${countOf(total, kind.slice(0, -1))}, nothing wrong`;
  return joinWords(bad.map(([status, count]) => `${count} ${status === "unknown" ? "not known" : status.replaceAll("_", " ")}`));
}

const WELL: ReadonlySet<string> = new Set(["up", "stopped", "valid"]);
