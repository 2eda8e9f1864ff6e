/**
 * The program of open public status pages, which are complete without it: times in the reader's zone, changed parts put in place of old ones, the day
 * of a strip under the pointer. `npm run generate` makes src/publishing/status/page/script.gen.ts of it.
 */
import { followChanges } from "./changes.ts";
import { showHints } from "./hints.ts";
import { localise } from "./times.ts";

localise();
setInterval(localise, 60_000);
// Pages of the past have no version, and do not change.
if (document.documentElement.dataset["v"]) followChanges();
showHints();
