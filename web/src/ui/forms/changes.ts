/** Of what a form asks for, what is other than at first: what nobody changed here stays as others save it meanwhile. */
export function changesOf<Body>(first: Body, body: Body): Partial<Body> {
  if (!isRecord(first) || !isRecord(body)) return body;
  const changed = Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key]));
  return Object.fromEntries(changed) as Partial<Body>;
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}
