import { goWays } from "./run.ts";

goWays("serverRestart", "databaseGone", "diskFull");
