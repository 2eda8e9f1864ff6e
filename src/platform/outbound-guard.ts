import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { OutboundError } from "./outbound-error.ts";
import { hostOf, isListed, type OutboundPrivateHost, readOutboundUrl, type UrlFault } from "./outbound-url.ts";

/** What may be asked: of addresses as they are written, and of the addresses that names lead to. */
export interface OutboundGuard {
  read(urlText: string): URL | UrlFault;
  /** Every address of the URL's host; throws an OutboundError when one of them is refused. */
  addressesOf(url: URL): Promise<readonly string[]>;
  /** Looks up for one connection: it goes to what was checked, whatever the name leads to a moment later. */
  lookupFor(url: URL): LookupFunction;
}

export interface OutboundGuardOptions {
  allowPrivate: boolean;
  privateHosts: readonly OutboundPrivateHost[];
  resolve: (host: string) => Promise<readonly string[]>;
  refusalFor: (address: string) => string | undefined;
}

export function createOutboundGuard({ allowPrivate, privateHosts, resolve, refusalFor }: OutboundGuardOptions): OutboundGuard {
  async function addressesOf(url: URL): Promise<readonly string[]> {
    const host = hostOf(url);
    const addresses = await resolve(host);
    for (const address of allowPrivate || isListed(url, privateHosts) ? [] : addresses) {
      const refusal = refusalFor(address);
      if (refusal !== undefined) throw new OutboundError(`${host} leads to ${address}, which is ${refusal}`, "private_address_refused");
    }
    return addresses;
  }

  return {
    addressesOf,
    read: (urlText) => readOutboundUrl(urlText, { allowPrivate, privateHosts }),
    lookupFor(url) {
      const lookUp = callbackify(() => addressesOf(url));
      return (_, options, callback) => {
        lookUp((error, addresses) => {
          const found = (addresses ?? [])
            .map((address) => ({ address, family: isIP(address) }))
            .filter(({ family }) => typeof options.family !== "number" || options.family === 0 || options.family === family);
          const [first] = found;
          if (error !== null) callback(error, []);
          else if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
          else if (options.all === true) callback(null, found);
          else callback(null, first.address, first.family);
        });
      };
    },
  };
}
