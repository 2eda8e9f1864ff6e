import type { Port } from "../../observations.ts";
import type { ContainerAnswer } from "./schemas.ts";

/** A published range may hold tens of thousands of ports; nobody reads more than these. */
const MAX_PORTS = 200;

/** The published and exposed ports: as they are bound while it runs, else as they were asked for. */
export function portsOf({
  Config,
  HostConfig,
  NetworkSettings,
}: Pick<ContainerAnswer, "Config" | "HostConfig" | "NetworkSettings">): Port[] {
  const bound = NetworkSettings?.Ports ?? {};
  const asked = { ...Object.fromEntries(Object.keys(Config.ExposedPorts).map((key) => [key, null])), ...HostConfig?.PortBindings };
  const map = Object.keys(bound).length > 0 ? bound : asked;
  return Object.entries(map)
    .flatMap(([key, bindings]) => portsOfKey(key, bindings))
    .sort(byNumber)
    .slice(0, MAX_PORTS);
}

function portsOfKey(key: string, bindings: { HostIp: string; HostPort: string }[] | null): Port[] {
  const [, number, protocol = "tcp"] = /^(\d{1,5})(?:\/(tcp|udp|sctp))?$/.exec(key) ?? [];
  if (number === undefined || !isProtocol(protocol)) return [];
  const port = { containerPort: Number(number), protocol };
  if (bindings === null || bindings.length === 0) return [{ ...port, hostIp: null, hostPort: null }];
  return bindings.map(({ HostIp, HostPort }) => {
    const hostPort = Number(HostPort);
    return hostPort > 0 ? { ...port, hostIp: HostIp === "" ? "0.0.0.0" : HostIp, hostPort } : { ...port, hostIp: null, hostPort: null };
  });
}

function isProtocol(text: string): text is Port["protocol"] {
  return text === "tcp" || text === "udp" || text === "sctp";
}

function byNumber(left: Port, right: Port): number {
  return left.containerPort - right.containerPort || (left.hostPort ?? 0) - (right.hostPort ?? 0);
}
