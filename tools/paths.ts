/** `node tools/paths.ts`: how many files and hand-offs a container's end and a ping pass, counted in the running program, and which. */
import { measurePaths } from "./paths/paths.ts";

for (const { name, files, listeners, handOffs } of await measurePaths()) {
  console.log(`${name}: ${files.length} files, ${handOffs.length} hand-offs; ${listeners.length} files of others that receive its events`);
  for (const file of files) console.log(`  ${file}`);
  for (const file of listeners) console.log(`  listeners: ${file}`);
  for (const what of handOffs) console.log(`  handed on: ${what}`);
}
