import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { checkRefusalOf } from "../../platform/outbound-addresses.ts";

/** What forbids a check to connect to an address, in words that follow the address; undefined when nothing does. */
export type AddressGuard = (address: string, port: number) => string | undefined;

/** Where this program listens. */
export interface ListeningAddress {
  address: string;
  port: number;
}

const OWN = "is where this Binnacle listens, which no check of its own reaches: have it checked from elsewhere";

/**
 * Keeps checks from the listeners of this program, whose callers are trusted by where they call from, and from what only this machine is
 * told. To be asked with the address that is connected to, never with a name.
 */
export function createAddressGuard(
  listeners: () => readonly ListeningAddress[] = () => [],
  ownAddresses: () => readonly string[] = interfaceAddresses,
): AddressGuard {
  function isOwn(address: string): boolean {
    const { isLoopback, isUnspecified } = kindOf(address);
    return isLoopback || isUnspecified || ownAddresses().some((own) => canonical(own) === address);
  }

  return (text, port) => {
    const refusal = checkRefusalOf(text);
    if (refusal !== undefined) return `is ${refusal}, which no check reaches`;
    const here = listeners().filter((each) => each.port === port);
    if (here.length === 0) return undefined;
    const address = canonical(text);
    const isReached = ({ address: listening }: ListeningAddress): boolean => {
      const bound = canonical(listening);
      // The system takes the unspecified address for one of its own.
      return address === bound || (kindOf(address).isUnspecified && isOwn(bound)) || (kindOf(bound).isUnspecified && isOwn(address));
    };
    return here.some(isReached) ? OWN : undefined;
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
