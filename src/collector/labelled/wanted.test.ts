import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { SwarmService, SwarmSighting } from "../../observations/swarm.ts";
import { swarmService, swarmSighting, swarmTopology } from "../../../test/support/swarm-topology.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createWanted } from "./wanted.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const at = (second: number): Date => new Date(NOON + second * 1000);
const target = (domain: string, port = 443) => ({ domain, port, serverName: domain });
const inventory = (second: number, ...containers: Partial<ContainerSighting>[]): Observation => ({
  kind: "container.inventory",
  observedAt: at(second),
  containers: containers.map(sighting),
});
const seen = (second: number, container: Partial<ContainerSighting>): Observation => ({
  kind: "container.seen",
  observedAt: at(second),
  container: sighting(container),
});
const gone = (second: number, externalId: string): Observation => ({ kind: "container.gone", observedAt: at(second), externalId });

const swarm = (second: number, facts: Partial<SwarmSighting> = {}): Observation => ({
  kind: "swarm.observed",
  observedAt: at(second),
  swarm: swarmSighting(facts),
});
const services = (facts: Partial<SwarmService> = {}) => ({
  topology: swarmTopology({ services: [swarmService({ endpoints: web.endpoints, ...facts })] }),
});
const unseen = (standing: SwarmSighting["standing"]) => ({ standing, topology: null });

const LABEL = "service.endpoint.http";
const web = { externalId: "web", endpoints: [labelled(LABEL, httpCheck({ target: "https://web.test/health" }))] };
const shop = { externalId: "shop", certificates: [target("shop.test"), target("web.test")] };
const tcp = { ...httpCheck(), type: "tcp" as const, target: "db.test:443", http: null };

const CASES: readonly (readonly [what: string, observations: Observation[], checks: string[], targets: string[]])[] = [
  ["nothing of a host that reported nothing", [], [], []],
  ["an endpoint and its peer", [inventory(0, web)], [`web/${LABEL}`], ["web.test 443 web.test"]],
  [
    "each target once, labels before endpoints",
    [inventory(0, web, shop)],
    [`web/${LABEL}`],
    ["shop.test 443 shop.test", "web.test 443 web.test"],
  ],
  ["nothing of an ignored container", [inventory(0, { ...web, ...shop, settings: { ...defaultSettings, ignored: true } })], [], []],
  ["the certificate alone of one that does not run", [inventory(0, { ...web, state: "exited" })], [], ["web.test 443 web.test"]],
  [
    "nothing more of one that was ignored later",
    [inventory(0, web), seen(1, { ...web, settings: { ...defaultSettings, ignored: true } })],
    [],
    [],
  ],
  ["no endpoint while it is paused", [inventory(0, web), seen(1, { ...web, state: "paused" })], [], ["web.test 443 web.test"]],
  [
    "an endpoint again when it runs",
    [inventory(0, { ...web, state: "created" }), seen(1, web)],
    [`web/${LABEL}`],
    ["web.test 443 web.test"],
  ],
  ["nothing of one that is gone", [inventory(0, web, shop), gone(1, "web"), gone(1, "shop")], [], []],
  [
    "nothing of one that is missing from the list",
    [inventory(0, web, shop), inventory(1, shop)],
    [],
    ["shop.test 443 shop.test", "web.test 443 web.test"],
  ],
  ["nothing of late news", [inventory(5, { ...web, state: "exited" }), seen(4, web)], [], ["web.test 443 web.test"]],
  [
    "no peer of plain http, nor of tcp",
    [inventory(0, { ...web, endpoints: [labelled(LABEL), labelled("service.endpoint.tcp", tcp)] })],
    [`web/${LABEL}`, "web/service.endpoint.tcp"],
    [],
  ],
  [
    "an endpoint of a service, also where no task of it is",
    [swarm(0, services()), inventory(1)],
    [`swarm:sweb/${LABEL}`],
    ["web.test 443 web.test"],
  ],
  ["the certificate alone of one that is scaled to zero", [swarm(0, services({ replicas: 0 }))], [], ["web.test 443 web.test"]],
  ["nothing of one that is to be ignored", [swarm(0, services({ settings: { ...defaultSettings, ignored: true } }))], [], []],
  ["nothing of one that was removed", [swarm(0, services()), swarm(1, { topology: swarmTopology({ services: [] }) })], [], []],
  [
    "what a manager asked for last that has no quorum",
    [swarm(0, services()), swarm(1, unseen("no_quorum"))],
    [`swarm:sweb/${LABEL}`],
    ["web.test 443 web.test"],
  ],
  [
    "what a manager asked for last that was demoted",
    [swarm(0, services()), swarm(1, unseen("worker"))],
    [`swarm:sweb/${LABEL}`],
    ["web.test 443 web.test"],
  ],
  ["nothing more of a manager that has left its swarm", [swarm(0, services()), swarm(1, unseen("inactive"))], [], []],
  [
    "the certificate that the labels of a service name",
    [swarm(0, services({ endpoints: [], certificates: [{ domain: "shop.test", port: 8443, serverName: "shop.test" }] }))],
    [],
    ["shop.test 8443 shop.test"],
  ],
];

describe("what labels ask a host to look at", () => {
  for (const [what, observations, checks, targets] of CASES)
    it(`is ${what}`, () => {
      const wanted = createWanted();
      for (const each of observations) wanted.take(each);
      assert.deepEqual([[...wanted.checks().keys()], [...wanted.targets().keys()]], [checks, targets]);
    });

  it("says whether something else is asked for", () => {
    const wanted = createWanted();
    const news: [observation: Observation, isNews: boolean][] = [
      [inventory(0, web, shop), true],
      [inventory(1, web, shop), false],
      [seen(2, { ...web, health: "healthy" }), false],
      [seen(3, { externalId: "other" }), false],
      [gone(4, "other"), false],
      [seen(5, { ...web, state: "exited" }), true],
      [{ kind: "host.watched", observedAt: at(6), since: at(0) }, false],
      [gone(7, "shop"), true],
      [gone(8, "shop"), false],
    ];
    assert.deepEqual(
      news.map(([observation]) => wanted.take(observation)),
      news.map(([, isNews]) => isNews),
    );
  });
});
