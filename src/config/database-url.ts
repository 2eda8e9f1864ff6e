import { isIPv4 } from "node:net";
import { StartError } from "../platform/errors.ts";
import { MASK } from "../platform/secrets.ts";

const NOT_A_URL =
  "not a PostgreSQL URL such as postgres://user:password@host:5432/database; characters like # / ? @ in a password are written percent-encoded";

/** Stands for the missing host of `postgres://user@/database`, which URL parsers refuse though PostgreSQL's own tools write it. */
const NO_HOST = "no-host.invalid";

/**
 * The connection string as it is used: `sslmode=require` is added when it names no sslmode and its host is neither loopback
 * nor a Unix socket; an explicit value always wins. A URL without any host means this machine, whatever PGHOST says.
 * Throws a StartError that does not repeat the string. Source: specification, Secrets at rest.
 */
export function completeDatabaseUrl(text: string): string {
  const url = parseDatabaseUrl(text);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) throw new StartError(NOT_A_URL);
  const host = hostOf(url);
  if (host === undefined) throw new StartError(NOT_A_URL);
  const located = host === "" ? withParameter(text, "host=localhost") : text;
  const explicit = url.searchParams.getAll("sslmode").at(-1) ?? "";
  return explicit !== "" || isOnThisMachine(host) ? located : withParameter(located, "sslmode=require");
}

const SQLITE_SCHEME = /^sqlite:(?:\/\/(?=\/))?/i;

/** `sqlite:PATH`, or a PostgreSQL URL, which is completed as above. Throws a StartError that does not repeat the string. */
export function parseCopyTarget(text: string): string {
  if (SQLITE_SCHEME.test(text)) {
    if (sqlitePathOf(text) === "") throw new StartError("sqlite: needs a path after it, such as sqlite:/data/binnacle.db");
    return text;
  }
  if (!/^postgres(ql)?:/i.test(text))
    throw new StartError("neither a PostgreSQL URL nor sqlite: and a path, such as sqlite:/data/binnacle.db");
  return completeDatabaseUrl(text);
}

/** The path of `sqlite:PATH`; undefined for another URL. */
export function sqlitePathOf(target: string): string | undefined {
  return SQLITE_SCHEME.test(target) ? target.replace(SQLITE_SCHEME, "") : undefined;
}

const SHOWN_PARAMETERS = ["host", "port", "user", "dbname", "sslmode", "application_name"];

/** The connection string fit for a log line or an error. What could be a piece of a carelessly written password is masked too. */
export function redactDatabaseUrl(text: string): string {
  const url = parseDatabaseUrl(text);
  if (url === undefined || url.pathname.includes("@")) return MASK;
  const host = url.hostname === NO_HOST ? "" : url.host;
  const user = url.username === "" ? "" : `${url.username}${url.password === "" ? "" : `:${MASK}`}@`;
  const parameters = [...url.searchParams].map(([name, value]) => (SHOWN_PARAMETERS.includes(name) ? `${name}=${value}` : MASK));
  return `${url.protocol}//${user}${host}${url.pathname}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}

function parseDatabaseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? URL.parse(text.replace(/^([a-z]+:\/\/[^/?#]*@)(?=[/?#:]|$)/i, `$1${NO_HOST}`)) ?? undefined;
}

/** The host that a client connects to: the `host` parameter before the authority. Empty when there is none, undefined when unreadable. */
function hostOf(url: URL): string | undefined {
  const parameter = url.searchParams.getAll("host").at(-1) ?? "";
  if (parameter !== "") return parameter;
  if (url.hostname === NO_HOST) return "";
  try {
    return decodeURIComponent(url.hostname);
  } catch {
    return undefined;
  }
}

function isOnThisMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "" || name.startsWith("/") || name === "localhost" || name === "::1") return true;
  const address = name.replace(/^::ffff:/, "");
  return isIPv4(address) && address.startsWith("127.");
}

function withParameter(text: string, parameter: string): string {
  const [, address = "", fragment = ""] = /^([^#]*)(.*)$/s.exec(text) ?? [];
  return `${address}${address.includes("?") ? "&" : "?"}${parameter}${fragment}`;
}
