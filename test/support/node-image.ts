import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestEngine } from "./engine.ts";

const run = promisify(execFile);

/** A base image for building the product's own: this Node with the libraries it is linked to, and busybox for a shell. */
export const NODE_IMAGE = "binnacle-test/node:1";

/** Makes {@link NODE_IMAGE} from this machine's own files; nothing is pulled. */
export async function importNode(engine: TestEngine): Promise<typeof NODE_IMAGE> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-image-"));
  const root = join(folder, "root");
  const put = async (file: string, at = file): Promise<void> => {
    await mkdir(join(root, dirname(at)), { recursive: true });
    await cp(file, join(root, at), { dereference: true });
  };
  try {
    await put(process.execPath, "/usr/local/bin/node");
    const { stdout } = await run("ldd", [process.execPath]);
    for (const [, library] of stdout.matchAll(/(\/\S+) \(0x/g)) if (library !== undefined) await put(library);
    await put("/bin/busybox");
    for (const name of ["sh", "mkdir", "cp", "rm"]) await symlink("busybox", join(root, "bin", name));
    await mkdir(join(root, "tmp"));
    await run("tar", ["-C", root, "-cf", join(folder, "image.tar"), "."]);
    await engine.docker("import", "-c", "ENV PATH=/usr/local/bin:/bin", join(folder, "image.tar"), NODE_IMAGE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return NODE_IMAGE;
}
