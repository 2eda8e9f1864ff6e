import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { createNetworks } from "../../../test/support/networks.ts";
import { until } from "../../../test/support/until.ts";
import type { CheckResult, EndpointCheck } from "../../observations.ts";

const PROBES = new URL("../../../test/support/probes-process.ts", import.meta.url).pathname;
const LISTEN = `for (const host of process.argv[1].split(",")) require("net").createServer((socket) => socket.on("error", () => {}).resume()).listen(80, host)`;

it("a host whose cable is out blames nobody else, and a host that is dead is not excused", async (test) => {
  const networks = createNetworks(["198.51.100.1", "198.51.100.2", "198.51.100.3"]);
  test.after(networks.remove);
  networks.outside("-e", LISTEN, "198.51.100.1,198.51.100.2");
  const dying = networks.outside("-e", LISTEN, "198.51.100.3");
  const check = (host: string): [string, EndpointCheck] => [
    host,
    { type: "tcp", target: `${host}:80`, intervalMs: 500, timeoutMs: 1000, failureThreshold: 3, recoveryThreshold: 2, http: null },
  ];
  const hosts = ["198.51.100.1", "198.51.100.2", "198.51.100.3", "127.0.0.1"];
  const probes = networks.inside(PROBES, JSON.stringify(hosts.map(check)));
  assert.ok(probes.stdout !== null);
  const results: ({ key: string } & CheckResult)[] = [];
  createInterface(probes.stdout).on("line", (line) => results.push(JSON.parse(line)));
  /** How the next checks of a host turn out, once three in a row do so. */
  const becomes = async (host: string, success: boolean, observed: boolean): Promise<void> => {
    results.length = 0;
    await until(
      () => {
        const last = results.filter(({ key }) => key === host).slice(-3);
        return last.length === 3 && last.every((each) => each.success === success && each.observed === observed);
      },
      { what: `${host} ${success ? "succeeds" : "fails"}, ${observed ? "" : "not "}observed` },
    );
  };

  for (const host of hosts.slice(0, 3)) await becomes(host, true, true);
  dying.kill("SIGKILL");
  await becomes("198.51.100.3", false, true);
  networks.unplug();
  for (const host of ["198.51.100.1", "198.51.100.2"]) await becomes(host, false, false);
  await becomes("127.0.0.1", false, true);
  networks.plug();
  for (const host of ["198.51.100.1", "198.51.100.2"]) await becomes(host, true, true);
});
