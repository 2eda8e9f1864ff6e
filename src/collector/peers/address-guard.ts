import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { checkRefusalOf } from "../../platform/outbound-url.ts";

/** What forbids a check to connect to an address, in words that follow the address; undefined when nothing does. */
export type AddressGuard = (address: string, port: number) => string | undefined;

/** Where somebody listens. */
export interface ListeningAddress {
  address: string;
  port: number;
}

export interface AddressGuardOptions {
  /** Where this program listens. */
  listeners?: () => readonly ListeningAddress[];
  /** Where its container engine is reached over the network. */
  engine?: () => readonly ListeningAddress[];
  ownAddresses?: () => readonly string[];
}

const OWN = "is where this Binnacle listens, which its own checks do not reach: have it checked from elsewhere";
const ENGINE = "is where the container engine of this Binnacle listens, which no check reaches";

/**
 * Keeps checks from the listeners of this program and of its container engine, whose callers are trusted by where they call from, and from what
 * only this machine can reach. To be asked with the address that is connected to, never with a name.
 */
export function createAddressGuard({
  listeners = () => [],
  engine = () => [],
  ownAddresses = interfaceAddresses,
}: AddressGuardOptions = {}): AddressGuard {
  function isOwn(address: string): boolean {
    const { isLoopback, isUnspecified } = kindOf(address);
    return isLoopback || isUnspecified || ownAddresses().some((own) => canonical(own) === address);
  }

  function reaches(address: string, { address: listening }: ListeningAddress): boolean {
    const bound = canonical(listening);
    // The system takes the unspecified address for its own.
    return address === bound || (kindOf(address).isUnspecified && isOwn(bound)) || (kindOf(bound).isUnspecified && isOwn(address));
  }

  /** An engine of this machine may listen on more of its addresses than on the one by which it is asked. */
  function reachesEngine(address: string, at: ListeningAddress): boolean {
    return reaches(address, at) || (isOwn(canonical(at.address)) && isOwn(address));
  }

  return (text, port) => {
    const refusal = checkRefusalOf(text);
    if (refusal !== undefined) return `is ${refusal}, which no check reaches`;
    const isThere = (each: ListeningAddress): boolean => each.port === port;
    if (listeners().some((each) => isThere(each) && reaches(canonical(text), each))) return OWN;
    return engine().some((each) => isThere(each) && reachesEngine(canonical(text), each)) ? ENGINE : undefined;
  };
}

/** As it is compared: IPv4 as such, without a zone, in the shortest form. */
function canonical(address: string): string {
  return ipaddr.process(address.replace(/%.*$/s, "")).toString();
}

function kindOf(address: string): { isLoopback: boolean; isUnspecified: boolean } {
  const range = ipaddr.parse(address).range();
  return { isLoopback: range === "loopback", isUnspecified: address === "0.0.0.0" || address === "::" };
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}
