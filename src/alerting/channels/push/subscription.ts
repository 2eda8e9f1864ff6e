import type { ReceiverKeys } from "./encryption.ts";

/** The keys of a browser stand at the end of the address of its channel, as the page puts them there. */
const KEYS = /[?&]p256dh=([\w-]{87})=?&auth=([\w-]{22})(?:==)?$/;

export interface Subscription extends ReceiverKeys {
  /** Where messages for the browser go: the address that its push service gave out. */
  endpoint: string;
}

/** The subscription in the address of a channel; undefined when there is none. */
export function readSubscription({ href }: URL): Subscription | undefined {
  const [keys, p256dh, auth] = KEYS.exec(href) ?? [];
  if (keys === undefined || p256dh === undefined || auth === undefined) return undefined;
  return {
    // Not by URLSearchParams, which could spell another part of the address anew.
    endpoint: href.slice(0, -keys.length),
    publicKey: Buffer.from(p256dh, "base64url"),
    authSecret: Buffer.from(auth, "base64url"),
  };
}
