/** Values that say where something is: hosts, origins, servers, addresses of mail. */
import { StartError } from "../platform/errors.ts";
import type { OutboundPrivateHost } from "../platform/outbound-url.ts";
import { list, quote, textLike, type ValueType } from "./value-types.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Where to listen: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. */
export const listenAddress: ValueType<ListenAddress> = {
  name: "HOST:PORT",
  parse(given) {
    const [, bracketed, plain, portText] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(given) ?? [];
    const host = bracketed ?? plain;
    const port = Number(portText);
    if (host === undefined || port > 65_535) {
      throw new StartError(`${quote(given)} is not HOST:PORT, such as 127.0.0.1:8080, or 0.0.0.0:8080 for every interface`);
    }
    return { host, port };
  },
};

/** A web origin: scheme, host and port, without a path. */
export const origin: ValueType<string> = {
  name: "URL",
  parse(given) {
    const url = URL.parse(given);
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    if (!isOrigin) throw new StartError(`${quote(given)} is not http(s)://HOST[:PORT] without a path`);
    return url.origin;
  },
};

/** Which web origins may read answers: `*` for any, or a list. */
export const origins: ValueType<"*" | readonly string[]> = {
  name: "ORIGINS",
  parse: (given) => (given.trim() === "*" ? "*" : list(origin).parse(given)),
};

/** A host name or address as a Host header has it, without the port. */
export const hostName: ValueType<string> = {
  name: "HOST",
  parse(given) {
    const url = URL.parse(`http://${given}/`);
    if (url === null || url.href !== `http://${url.hostname}/`) throw new StartError(`${quote(given)} is not a host name without a port`);
    return url.hostname;
  },
};

/** `HOST`, `HOST:PORT`, either with `http://` before it. */
export const privateHost: ValueType<OutboundPrivateHost> = {
  name: "HOST[:PORT]",
  parse(given) {
    const plain = /^http:\/\//i.test(given);
    const name = plain ? given.slice("http://".length) : given;
    // Of ws: since http: and https: leave out their own port, which may be meant.
    const url = URL.parse(`ws://${name}/`);
    const port = /:(\d{1,5})$/.exec(name)?.[1];
    if (url === null || url.href !== `ws://${url.host}/` || Number(port ?? 1) < 1 || name.includes("*"))
      throw new StartError(`${quote(given)} is not HOST or HOST:PORT, with or without http:// before it`);
    return { host: url.hostname.replace(/^\[|\]$/g, ""), port: port === undefined ? undefined : Number(port), plain };
  },
};

/** One address of mail, with or without a name: `monitor@example.com`, `Binnacle <monitor@example.com>`. */
export const mailAddress = textLike(
  /^(?:[^<>@\p{Cc}",;]{0,128} )?(?:<[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255}>|[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255})$/u,
  "ADDRESS",
  (given) => `${quote(given)} is not an address such as monitor@example.com or Binnacle <monitor@example.com>`,
);

/** Where a Docker Engine listens; a bare path is a Unix socket. */
export const engineAddress: ValueType<string> = {
  name: "URL",
  parse(given) {
    if (given.startsWith("/")) return `unix://${given}`;
    if (/^unix:\/\/\/./.test(given) || /^(tcp|https?):\/\/[^/\s]+\/?$/.test(given)) return given;
    throw new StartError(`${quote(given)} is neither unix:///PATH nor tcp://HOST:PORT`);
  },
};

/** Where agents reach a server: `grpcs://HOST[:PORT]`, or without the scheme; always TLS, port 443 unless given. Answers with scheme and port. */
export const grpcUrl: ValueType<string> = {
  name: "grpcs://HOST[:PORT]",
  parse(given) {
    const authority = given.replace(/^grpcs:\/\//i, "").replace(/\/$/, "");
    // Of ws: since https: leaves out its own port.
    const url = URL.parse(`ws://${authority}/`);
    const port = /:(\d{1,5})$/.exec(authority)?.[1] ?? "443";
    const isHost = url !== null && /^(?:\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)$/.test(url.hostname) && url.pathname === "/";
    if (!isHost || url.search + url.hash + url.username + url.password !== "" || Number(port) < 1)
      throw new StartError(`${quote(given)} is not grpcs://HOST[:PORT]`);
    return `grpcs://${url.hostname}:${Number(port)}`;
  },
};

/** Where an authorization may be sent: https, http on this computer, or the scheme of an app. Kept as written, since it is compared exactly. */
export const redirectUri: ValueType<string> = {
  name: "URI",
  parse(given) {
    const url = URL.parse(given);
    const fault = url === null ? "is no absolute URI" : redirectFault(url, given);
    if (fault !== undefined) throw new StartError(`${quote(given)} ${fault}`);
    return given;
  },
};

const SCRIPTING_SCHEMES = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"]);

function redirectFault(url: URL, given: string): string | undefined {
  if (given.includes("#")) return "has a fragment, which a redirect URI must not have";
  if (url.username !== "" || url.password !== "") return "has a user name, which a redirect URI must not have";
  if (SCRIPTING_SCHEMES.has(url.protocol)) return `begins with ${url.protocol}, to which nothing is sent`;
  if (url.protocol === "http:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) return "is not secure: use https://";
  return undefined;
}

/** The server of an agent; `isPlain` is without TLS. */
export interface GrpcServer {
  readonly host: string;
  readonly port: number;
  readonly isPlain: boolean;
}

/** `grpcs://HOST[:PORT]`, or `grpc://` for plain HTTP/2; the port is 443 unless given. */
export const grpcServer: ValueType<GrpcServer> = {
  name: "URL",
  parse(given) {
    const [, scheme = "", rest] = /^(grpcs?):\/\/([^/]+)\/?$/i.exec(given) ?? [];
    // Parsed as wss:, for which URL expects a host and knows the port 443.
    const url = rest === undefined ? null : URL.parse(`wss://${rest}/`);
    if (url === null || url.href !== `wss://${url.host}/` || url.port === "0")
      throw new StartError(`${quote(given.replace(/\/\/[^/]*@/, "//***@"))} is not grpcs://HOST[:PORT]`);
    const port = url.port === "" ? 443 : Number(url.port);
    return { host: url.hostname.replace(/^\[|\]$/g, ""), port, isPlain: scheme.toLowerCase() === "grpc" };
  },
};
