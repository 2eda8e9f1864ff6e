/** The thread that moves the write-ahead log of a database into its file, and ends. Started by sqlite.ts, which passes the path. */
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";

const url = pathToFileURL(workerData as string);
// A file that is gone is not created.
url.searchParams.set("mode", "rw");
const file = new DatabaseSync(url);
file.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(PASSIVE)");
file.close();
