import { readFileSync } from "node:fs";
import { BlockList, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/** How this host is connected at the moment. */
export interface HostNetwork {
  /** An interface that leads out of the host is up and has an address. */
  interfaceUp: boolean;
  /** null when the system does not show its routes. */
  defaultRoute: boolean | null;
  /** Loopback, or in a network that this host is part of. */
  isNear(address: string): boolean;
}

/** Bridges and pairs that container runtimes and virtual machines make; they are up whether the host is connected or not. */
const INNER_INTERFACES = /^(?:docker|br-|veth|virbr|vmnet|cni|flannel|cali|cilium|podman|lxc|lxd|kube|nerdctl)/;

export function readHostNetwork(): HostNetwork {
  const near = new BlockList();
  near.addSubnet("127.0.0.0", 8, "ipv4");
  near.addAddress("::1", "ipv6");
  let interfaceUp = false;
  for (const [name, addresses = []] of Object.entries(networkInterfaces())) {
    for (const { internal, cidr, family, address } of addresses) {
      const isLinkLocal = address.startsWith("fe80:") || address.startsWith("169.254.");
      if (!internal && !isLinkLocal && !INNER_INTERFACES.test(name)) interfaceUp = true;
      const [network, prefix] = cidr?.split("/") ?? [];
      if (network !== undefined) near.addSubnet(network, Number(prefix), family === "IPv6" ? "ipv6" : "ipv4");
    }
  }
  return { interfaceUp, defaultRoute: hasDefaultRoute(), isNear: (address) => near.check(address, isIPv6(address) ? "ipv6" : "ipv4") };
}

/** Of either family, as Linux shows it; a route through loopback is one that refuses. Source: proc(5), /proc/net/route. */
function hasDefaultRoute(): boolean | null {
  try {
    const ipv4 = linesOf("/proc/self/net/route").some(
      ([, destination, , , , , , mask]) => destination === "00000000" && mask === "00000000",
    );
    return (
      ipv4 ||
      linesOf("/proc/self/net/ipv6_route").some(([destination, prefix, , , , , , , , name]) => {
        return destination === "0".repeat(32) && prefix === "00" && name !== "lo";
      })
    );
  } catch {
    return null;
  }
}

function linesOf(path: string): string[][] {
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}
