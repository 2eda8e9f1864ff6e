/** A package URL taken apart. Source: the purl specification. */
export interface PackageUrl {
  type: string;
  namespace: string;
  name: string;
  version: string;
  qualifiers: ReadonlyMap<string, string>;
}

/** Undefined when it is none, or names no version. */
export function readPackageUrl(text: string): PackageUrl | undefined {
  if (text.length > 2000) return undefined;
  const [, body = "", query = ""] = /^pkg:\/*([^?#]+)(?:\?([^#]*))?/i.exec(text) ?? [];
  const at = body.lastIndexOf("@");
  // A scope that was not encoded: `pkg:npm/@scope/name`.
  if (at <= body.lastIndexOf("/")) return undefined;
  try {
    const [type = "", ...path] = body
      .slice(0, at)
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
    const name = path.pop();
    const version = decodeURIComponent(body.slice(at + 1));
    if (name === undefined || version === "") return undefined;
    return { type: type.toLowerCase(), namespace: path.join("/"), name, version, qualifiers: qualifiersOf(query) };
  } catch {
    return undefined;
  }
}

function qualifiersOf(query: string): Map<string, string> {
  const pairs = query.split("&").map((pair): [string, string] => {
    const equals = pair.indexOf("=");
    return [pair.slice(0, equals).toLowerCase(), decodeURIComponent(pair.slice(equals + 1))];
  });
  return new Map(pairs.filter(([key]) => key !== ""));
}
