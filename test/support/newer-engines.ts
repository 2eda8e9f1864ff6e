import { newerEngines } from "../../tools/on-demand.ts";
import { startEngine, type TestEngine } from "./engine.ts";
import { startPodman, type TestPodman } from "./podman.ts";
import { enterRelease } from "./release.ts";

/** Debian's newest Podman. */
export async function startNewerPodman(): Promise<TestPodman> {
  const release = await enterRelease(newerEngines().root);
  const podman = await startPodman(release);
  return { ...podman, stop: () => podman.stop().finally(release.leave) };
}

/** Debian's newest Docker Engine, with these flags of dockerd. */
export async function startNewerEngine(flags: readonly string[]): Promise<TestEngine> {
  const release = await enterRelease(newerEngines().root);
  const engine = await startEngine({ own: true, release, flags });
  return { ...engine, stop: () => engine.stop().finally(release.leave) };
}
