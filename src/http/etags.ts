/** Whether an If-None-Match header names this tag; `W/` makes no difference. Source: RFC 9110, 13.1.2. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = opaque(etag);
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag.trim()) === bare);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}
