import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";

type Port = ContainerRecord["ports"][number];

/**
 * Ports as one reads them: `8080→80`, `127.0.0.1:5432`, `53/udp`. Published ones come first; the same port published on
 * several addresses (IPv4 and IPv6) is listed once; one that is the same on both sides is written once.
 */
export function formatPorts(ports: readonly Port[]): string[] {
  const published = ports.filter((port) => port.host_port !== null);
  const exposed = ports.filter((port) => port.host_port === null);
  return [...new Set([...published, ...exposed].map(formatPort))];
}

function formatPort(port: Port): string {
  const protocol = port.protocol === "tcp" ? "" : `/${port.protocol}`;
  if (port.host_port === null) return `${port.container_port}${protocol}`;
  const address =
    port.host_ip === null || EVERY_ADDRESS.has(port.host_ip) ? "" : `${port.host_ip.includes(":") ? `[${port.host_ip}]` : port.host_ip}:`;
  const mapping = port.host_port === port.container_port ? "" : `→${port.container_port}`;
  return `${address}${port.host_port}${mapping}${protocol}`;
}

const EVERY_ADDRESS = new Set(["", "0.0.0.0", "::"]);
