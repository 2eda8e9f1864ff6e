import assert from "node:assert/strict";
import { createSecureContext, type SecureContext } from "node:tls";
import { systemClock } from "../../src/platform/clock.ts";
import { refusalOf } from "../../src/platform/outbound-url.ts";
import { createOutbound, type Outbound, OutboundError, type OutboundOptions, type OutboundRequest } from "../../src/platform/outbound.ts";
import { makeIdentity, type Receiver, type ReceiverOptions, startReceiver } from "./receivers.ts";

/** Receivers on loopback, and doors to the outside that take them for public ones, or do not. */
export interface OutboundWorld {
  /** An Internet in which 127.0.0.1, where hook.example and other.example are, is a public address, and nothing else here is. */
  guarded(names?: Record<string, string[]>): Outbound;
  open(options: Partial<OutboundOptions>): Outbound;
  /** One without TLS. */
  receive(options?: ReceiverOptions): Promise<Receiver>;
  /** One that is hook.example and other.example. */
  secureReceiver(manner?: ReceiverOptions["manner"]): Promise<Receiver>;
  /** Of the authority that vouches for them. */
  trust: { context(): SecureContext };
  stop(): Promise<void>;
}

export async function openOutboundWorld(): Promise<OutboundWorld> {
  const receivers: Receiver[] = [];
  const outbounds: Outbound[] = [];
  const identity = await makeIdentity(["hook.example", "other.example"]);
  const trust = { context: () => createSecureContext({ ca: identity.rootPem }) };

  const open: OutboundWorld["open"] = (options) => {
    const outbound = createOutbound({ allowPrivate: false, clock: systemClock, ...options });
    outbounds.push(outbound);
    return outbound;
  };
  const receive = async (options: ReceiverOptions = {}): Promise<Receiver> => {
    const receiver = await startReceiver(options);
    receivers.push(receiver);
    return receiver;
  };
  return {
    trust,
    open,
    receive,
    guarded(names = {}) {
      const known: Record<string, string[]> = { "hook.example": ["127.0.0.1"], "other.example": ["127.0.0.1"], ...names };
      const refusalFor = (address: string): string | undefined => (address === "127.0.0.1" ? undefined : refusalOf(address));
      return open({ trust, resolve: async (host) => known[host] ?? [], refusalFor });
    },
    secureReceiver: (manner = { kind: "accept" }) => receive({ tls: identity, manner }),
    async stop() {
      for (const outbound of outbounds) outbound.stop();
      for (const receiver of receivers) await receiver.stop();
    },
  };
}

export function request(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  const signal = new AbortController().signal;
  return { url, method: "POST", headers: { "content-type": "application/json" }, body: "{}", signal, timeoutMs: 30_000, ...changes };
}

export function portOf(receiver: Receiver): string {
  return new URL(receiver.url).port;
}

/** Why an attempt failed; fails itself when it did not. */
export async function failure(attempt: Promise<unknown>): Promise<OutboundError> {
  const error = await attempt.then(
    () => assert.fail("it was sent"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
}
