import { StartError } from "../../platform/errors.ts";

/** Where an engine listens. `display` carries no credentials and is fit for logs and answers. */
export type EngineAddress =
  | { kind: "unix"; socketPath: string; display: string }
  | { kind: "tcp"; host: string; port: number; tls: boolean; display: string };

/**
 * Reads an engine address in the spelling of DOCKER_HOST. `tcp://` becomes TLS when verification is asked for, as with the docker command.
 * Throws a {@link StartError} for one that can never work.
 */
export function parseEngineAddress(text: string, { tlsVerify }: { tlsVerify: boolean }): EngineAddress {
  if (text.startsWith("unix://")) {
    const socketPath = text.slice("unix://".length);
    if (!socketPath.startsWith("/"))
      throw new StartError(`The Docker address ${text} needs an absolute path, such as unix:///var/run/docker.sock.`);
    return { kind: "unix", socketPath, display: text };
  }
  if (text.startsWith("ssh://")) {
    throw new StartError(
      "Docker addresses with ssh:// are not supported. Forward the socket with `ssh -L` and give unix:// or tcp:// instead.",
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["tcp:", "http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw new StartError(
      `The Docker address "${withoutCredentials(text)}" is not understood. Use unix:///path, tcp://host:port, http://host:port or https://host:port.`,
    );
  }
  if ((url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "") {
    throw new StartError(`The Docker address ${withoutCredentials(text)} must end after the port.`);
  }
  const tls = url.protocol === "https:" || (url.protocol === "tcp:" && tlsVerify);
  const port = url.port === "" ? defaultPort(url.protocol, tls) : Number(url.port);
  return {
    kind: "tcp",
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    tls,
    display: `${tls ? "https" : "tcp"}://${url.hostname}:${port}`,
  };
}

function defaultPort(protocol: string, tls: boolean): number {
  if (protocol === "tcp:") return tls ? 2376 : 2375;
  return tls ? 443 : 80;
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//");
}
