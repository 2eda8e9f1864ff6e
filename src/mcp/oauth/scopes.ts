import { SCOPES, type Scope } from "../tool.ts";

/** What a client may do that asks for nothing in particular. */
export const DEFAULT_SCOPES: readonly Scope[] = ["monitor:read"];

/** What each allows, for the user who decides. */
export const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  "monitor:read":
    "Read everything this monitor knows of every host: containers and their logs, resources, checks, certificates, updates, security findings, alerts.",
  "alerts:write": "Acknowledge alerts, which stops their escalation and quiets them for everybody.",
};

/** The scopes that a parameter lists, each once; undefined when one is not known. Source: RFC 6749, section 3.3. */
export function readScopes(text: string): Scope[] | undefined {
  const asked = new Set(text.split(" ").filter((word) => word !== ""));
  const known = SCOPES.filter((scope) => asked.has(scope));
  return known.length === asked.size && known.length > 0 ? known : undefined;
}

/** As parameters and rows list them. */
export function scopeText(scopes: readonly Scope[]): string {
  return scopes.join(" ");
}

export function isWithin(asked: readonly Scope[], granted: readonly Scope[]): boolean {
  return asked.every((scope) => granted.includes(scope));
}
