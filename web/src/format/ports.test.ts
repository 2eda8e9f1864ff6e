import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPorts } from "./ports.ts";

const port = (container_port: number, host_ip: string | null = null, host_port: number | null = null, protocol: "tcp" | "udp" = "tcp") => ({
  container_port,
  protocol,
  host_ip,
  host_port,
});

test("ports are shown short, published ones first, the same one once", () => {
  const cases: [Parameters<typeof formatPorts>[0], string[]][] = [
    [[], []],
    [[port(80)], ["80"]],
    [
      [port(9000), port(80, "0.0.0.0", 8080), port(80, "::", 8080)],
      ["8080→80", "9000"],
    ],
    [[port(5432, "127.0.0.1", 5432)], ["127.0.0.1:5432"]],
    [[port(443, "::1", 8443)], ["[::1]:8443→443"]],
    [
      [port(53, "", 53, "udp"), port(53, "", 53)],
      ["53/udp", "53"],
    ],
  ];
  for (const [ports, texts] of cases) assert.deepEqual(formatPorts(ports), texts);
});
