import { HOUR_MS, SECOND_MS } from "../../src/contract/time.ts";
import type { ContainerSighting } from "../../src/observations.ts";
import { type Name, NAMES } from "./host.ts";
import type { Scenario } from "./scenarios.ts";
import type { World } from "./world.ts";

/** What happens in a world, until its effects can be read. */
export const ACTS: Record<Scenario, (world: World) => Promise<void>> = {
  async crash(world) {
    ended(world, { exitCode: 1 });
    await world.pass(7);
  },
  async oom(world) {
    ended(world, { exitCode: 137, oomKilled: true });
    await world.pass(7);
  },
  async stop(world) {
    ended(world, { exitCode: 143, stopRequested: true });
    await world.pass(7);
  },
  async pause(world) {
    for (const name of NAMES) world.host.become(name, { state: "paused", health: world.host.get(name)?.health ?? null });
    await world.pass(7);
  },
  async removedLately(world) {
    for (const name of NAMES) world.host.remove(name);
    await world.pass(7);
  },
  async removal(world) {
    for (const name of NAMES) world.host.remove(name);
    await world.pass(16);
  },
  async recreated(world) {
    await replaced(world, () => "1.0");
  },
  async upgraded(world) {
    await replaced(world, () => "1.1");
  },
  async engineDeath(world) {
    await world.engine(false);
    await world.pass(7);
  },
  async engineDeathAndRestart(world) {
    await world.engine(false);
    await world.pass(2);
    await world.stop();
    await world.start();
    await world.pass(5);
  },
  async hostReboot(world) {
    const isOurs = world.agentId === null;
    if (isOurs) await world.stop();
    else await world.link(false);
    world.host.setPower(false);
    await world.pass(2);
    world.host.setPower(true);
    if (isOurs) await world.start();
    else await world.link(true);
    await world.pass(5);
  },
  async cutOff(world) {
    await world.link(false);
    await world.pass(8);
  },
  async healed(world) {
    await world.link(false);
    await world.pass(8);
    await world.link(true);
    await world.pass(2);
  },
  async serverRestart(world) {
    await world.stop();
    await world.pass(8);
    await world.start();
    await world.pass(3);
  },
  async databaseGone(world) {
    world.faults.set("gone");
    await world.pass(8);
    world.faults.set("none");
    await world.pass(3);
  },
  async diskFull(world) {
    world.faults.set("full");
    await world.pass(8);
    world.faults.set("none");
    await world.pass(3);
  },
  async clockForward(world) {
    world.clock.jump(new Date(world.clock.now().getTime() + HOUR_MS));
    world.host.clockWasSet();
    await world.report();
    await world.pass(7);
  },
  async clockBack(world) {
    world.clock.jump(new Date(world.clock.now().getTime() - HOUR_MS));
    world.host.clockWasSet();
    await world.report();
    await world.pass(7);
  },
};

function ended({ host, clock }: World, facts: Partial<ContainerSighting>): void {
  for (const name of NAMES) host.become(name, { state: "exited", finishedAt: clock.now(), ...facts });
}

async function replaced(world: World, tagOf: (name: Name) => string): Promise<void> {
  ended(world, { exitCode: 143, stopRequested: true });
  await world.clock.advance(SECOND_MS);
  for (const name of NAMES) world.host.remove(name);
  await world.clock.advance(SECOND_MS);
  for (const name of NAMES) world.host.add(name, { image: `shop/${name}:${tagOf(name)}`, generation: 2 });
  await world.clock.advance(8 * SECOND_MS);
  await world.pass(7);
}
