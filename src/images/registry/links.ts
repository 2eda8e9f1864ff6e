import { RegistryError } from "../registry-error.ts";

const LONGEST_HEADER = 8192;

/**
 * Where the next page is, as `Link: </v2/.../tags/list?...>; rel="next"` says: its path after `address`, the repository's own address. Undefined
 * when there is none. A page elsewhere is refused: credentials would go there. Source: RFC 8288; distribution specification, Listing tags.
 */
export function nextPage(header: string | string[] | undefined, address: string, what: string): string | undefined {
  // As URLs are compared: without the port that goes without saying.
  const base = new URL(address).href;
  const text = Array.isArray(header) ? header.join(", ") : (header ?? "");
  if (text.length > LONGEST_HEADER)
    throw new RegistryError("malformed", `The list of tags of ${what} has too long a link to its next page.`);
  for (const [, target = "", parameters = ""] of text.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?next"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    const url = URL.parse(target, `${base}tags/list`);
    if (url === null || !url.href.startsWith(`${base}tags/list`))
      throw new RegistryError("refused", `The list of tags of ${what} goes on at another address, which is not followed.`);
    return url.href.slice(base.length);
  }
  return undefined;
}
