import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestEngine } from "./engine.ts";

const run = promisify(execFile);

/** An image with a shell and the usual commands that idles until it is stopped. */
export const BUSYBOX = "binnacle-test/busybox:1";

/** Makes the image {@link BUSYBOX} from this machine's statically linked busybox, unless the engine has it. */
export async function importBusybox(engine: TestEngine): Promise<typeof BUSYBOX> {
  if ((await engine.docker("images", "-q", BUSYBOX)) !== "") return BUSYBOX;
  const folder = await mkdtemp(join(tmpdir(), "binnacle-image-"));
  try {
    await mkdir(join(folder, "root/bin"), { recursive: true });
    await mkdir(join(folder, "root/tmp"));
    await copyFile("/bin/busybox", join(folder, "root/bin/busybox"));
    const { stdout } = await run("/bin/busybox", ["--list"]);
    const commands = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
    await Promise.all(commands.map((name) => symlink("busybox", join(folder, "root/bin", name))));
    await run("tar", ["-C", join(folder, "root"), "-cf", join(folder, "image.tar"), "."]);
    const idle = 'CMD ["/bin/sh", "-c", "trap \\"exit 143\\" TERM; while :; do sleep 3600 & wait; done"]';
    await engine.docker("import", "-c", idle, join(folder, "image.tar"), BUSYBOX);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return BUSYBOX;
}

/** Containers of one test, distinguished from all others by name and label, and removed together. */
export interface TestContainers {
  /** Part of every name. */
  prefix: string;
  /** `docker run -d` with the flags, under the name `PREFIX-NAME`; resolves with the id. */
  run(name: string, flags?: string[], ...command: string[]): Promise<string>;
  removeAll(): Promise<void>;
}

export function createTestContainers(engine: TestEngine, prefix = `bt-${randomBytes(4).toString("hex")}`): TestContainers {
  const label = `binnacle.test=${prefix}`;
  return {
    prefix,
    async run(name, flags = [], ...command) {
      return engine.docker("run", "-d", "--name", `${prefix}-${name}`, "--label", label, ...flags, BUSYBOX, ...command);
    },
    async removeAll() {
      const ids = await engine.docker("ps", "-aq", "--filter", `label=${label}`);
      if (ids !== "") await engine.docker("rm", "-f", ...ids.split("\n"));
    },
  };
}
