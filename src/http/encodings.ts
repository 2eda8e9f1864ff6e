/** Whether an Accept-Encoding header explicitly accepts an encoding. Source: RFC 9110, 12.5.3. */
export function acceptsEncoding(header: string | string[] | undefined, name: string): boolean {
  if (header === undefined) return false;
  return String(header)
    .split(",")
    .some((part) => {
      const [encoding = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      return encoding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}

/** Whether an If-None-Match header names this tag; `W/` makes no difference. Source: RFC 9110, 13.1.2. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = opaque(etag);
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag.trim()) === bare);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}
