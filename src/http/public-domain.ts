import type { IncomingMessage } from "node:http";
import { canonicalAddress, type TrustedProxies } from "./client-address.ts";
import { hostNameOf } from "./origin-guard.ts";

/** A request as Node has it. */
type Asked = Pick<IncomingMessage, "headers" | "url"> & { socket: Pick<IncomingMessage["socket"], "remoteAddress"> };

/** The host name of the public status page, under which nothing else is answered. */
export interface PublicDomain {
  /** Whether a request was sent to it. */
  isAsked(request: Asked): boolean;
  /** Whether a request was sent to it for what is not public. */
  hides(request: Asked): boolean;
  /** The address as routes know it: at the root of the domain is the status page. */
  urlOf(request: Asked): string;
}

const PUBLIC_URL = /^\/status(?:[/?]|$)/;
const ROOT_URL = /^\/(?:\?|$)/;

/**
 * A request is sent to the domain when its Host says so, or X-Forwarded-Host of a trusted proxy: whoever adds a header must not reach more than without
 * it. `current` is null while there is no domain.
 */
export function createPublicDomain(current: () => string | null, proxies: TrustedProxies): PublicDomain {
  /** Most requests name the same host. */
  let last = { host: "", domain: "", isSame: false };

  function isSame(host: string, domain: string): boolean {
    if (last.host !== host || last.domain !== domain) last = { host, domain, isSame: hostNameOf(host) === domain };
    return last.isSame;
  }

  function isForwarded({ headers, socket }: Asked, domain: string): boolean {
    const forwarded = headers["x-forwarded-host"];
    if (forwarded === undefined) return false;
    const peer = socket.remoteAddress ?? "";
    if (!proxies.includes(canonicalAddress(peer) ?? peer)) return false;
    return String(forwarded)
      .split(",")
      .some((host) => hostNameOf(host.trim()) === domain);
  }

  function isAsked(request: Asked): boolean {
    const domain = current();
    if (domain === null) return false;
    const { host } = request.headers;
    return (host !== undefined && isSame(host, domain)) || isForwarded(request, domain);
  }

  return {
    isAsked,
    hides: (request) => isAsked(request) && !PUBLIC_URL.test(request.url ?? ""),
    urlOf(request) {
      const { url = "" } = request;
      return ROOT_URL.test(url) && isAsked(request) ? `/status${url}` : url;
    },
  };
}
