/** Deletes from node_modules what no command here reads: it is more than a quarter of all. Part of `npm run prepare`. */
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";

const UNREAD: readonly { files: string; why: string }[] = [
  { files: "node-linux-*/{include,share}", why: "67 MB of C headers, and manuals" },
  { files: "**/*.map", why: "source maps of packages" },
  { files: "lucide-react/dist/cjs", why: "the icons once more, as CommonJS" },
  { files: "lucide-react/dynamic*", why: "types of icons that are loaded by name" },
  { files: "lucide-react/dist/*.{pre,suf}fixed.d.ts", why: "types of its icons under two more names" },
];

const folder = join(import.meta.dirname, "../node_modules");
for (const { files } of UNREAD) {
  for (const path of globSync(files, { cwd: folder })) rmSync(join(folder, path), { recursive: true });
}
