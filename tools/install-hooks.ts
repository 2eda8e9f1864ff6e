/** Points git at .githooks. Part of `npm run prepare`. Outside a checkout, and without git, there is nothing to do; it never fails an install. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
if (existsSync(join(root, ".git"))) spawnSync("git", ["config", "core.hooksPath", ".githooks"], { cwd: root, stdio: "ignore" });
